// Orders of customers who pay by invoice.
class Order {
  constructor(customer) {
    this.customer = customer;
    this.items = [];
  }

  add(name, count) {
    this.items.push({ name, count });
  }

  invoice(prices) {
    let total = 0;
    for (const item of this.items) {
      const price = prices[item.name];
      if (price === undefined) {
        throw new Error("no price for " + item.name);
      }
      let amount = price * item.count;
      if (item.count >= 10) {
        amount = amount * 0.9;
      }
      total += amount;
    }
    return { customer: this.customer, total };
  }
}

module.exports = { Order };
