/**
 * Questions are searched by their words with a meaning; a title counts more than a text. The function is sent to
 * browsers as its text, so it refers to nothing outside.
 */
export const miniSearch = {
  options: {
    processTerm: (term: string): string | null => {
      const word = term.toLowerCase();
      const fillers =
        /^(?:an?|and|are|as|at|be|by|can|do|does|for|from|how|i|in|is|it|my|of|on|or|our|that|the|to|what|when|where|which|why|with|you|your)$/;
      return fillers.test(word) ? null : word;
    },
  },
  searchOptions: { fuzzy: false, prefix: true, boost: { title: 4, titles: 2, text: 1 } },
};
