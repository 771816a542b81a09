// A basket of goods, with a discount for many of one kind.
function basketTotal(basket, prices) {
  let total = 0;
  for (const item of basket) {
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
  return Math.round(total * 100) / 100;
}

module.exports = { basketTotal };
