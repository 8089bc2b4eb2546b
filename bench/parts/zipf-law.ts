/** Creates a generator of ranks from 1 to `size`. Rank k has a probability proportional to k^-exponent (Zipf's law). */
export function createZipf(size: number, exponent: number, random: () => number): () => number {
  const sums = new Float64Array(size);
  let sum = 0;
  for (let rank = 1; rank <= size; rank += 1) {
    sum += rank ** -exponent;
    sums[rank - 1] = sum;
  }
  return () => {
    const wanted = random() * sum;
    let [low, high] = [0, size - 1];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((sums[middle] ?? 0) < wanted) low = middle + 1;
      else high = middle;
    }
    return low + 1;
  };
}
