// The goods in two stores.
function northReport(store) {
  const lines = [];
  for (const shelf of store.north) {
    const missing = shelf.wanted - shelf.count;
    if (missing > 0 && !shelf.ordered) {
      lines.push(shelf.name + ": order " + missing);
    } else if (shelf.count > 2 * shelf.wanted) {
      lines.push(shelf.name + ": too many");
    }
  }
  return lines.join("\n");
}

function southReport(store) {
  const lines = [];
  for (const shelf of store.south) {
    const missing = shelf.wanted - shelf.count;
    if (missing > 0 && !shelf.ordered) {
      lines.push(shelf.name + ": order " + missing);
    } else if (shelf.count > 2 * shelf.wanted) {
      lines.push(shelf.name + ": too many");
    }
  }
  return lines.join("\n");
}

module.exports = { northReport, southReport };
