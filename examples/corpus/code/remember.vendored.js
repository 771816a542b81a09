/* vendored from the toolbox, revision 61; local change: larger cache */
// Remember the results of a slow function, forgetting the least recently used.

export function remember(fn, limit = 500) {
  const seen = new Map();

  return function (...args) {
    const key = JSON.stringify(args);
    if (seen.has(key)) {
      const value = seen.get(key);
      seen.delete(key); // move the entry to the young end
      seen.set(key, value);
      return value;
    }
    const value = fn.apply(this, args);
    seen.set(key, value);
    if (seen.size > limit) {
      const oldest = seen.keys().next().value;
      seen.delete(oldest);
    }
    return value;
  };
}

// Promises are remembered too, but a rejected one is dropped so that the
// next caller gets a fresh attempt instead of yesterday's bad news.
export function rememberAsync(fn, limit = 500) {
  const pending = new Map();

  return async function (...args) {
    const key = JSON.stringify(args);
    if (!pending.has(key)) {
      const attempt = fn.apply(this, args);
      pending.set(key, attempt);
      attempt.catch(() => pending.delete(key));
      if (pending.size > limit) {
        pending.delete(pending.keys().next().value);
      }
    }
    return pending.get(key);
  };
}
