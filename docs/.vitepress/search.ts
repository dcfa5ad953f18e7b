/**
 * The search drops words without a meaning from a question, and titles count more than text. The function is sent to
 * browsers as source text, so it must not refer to other code.
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
