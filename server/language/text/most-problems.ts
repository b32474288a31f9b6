/** The maximum number of problems per file that are listed, and searched for where searching is expensive. */
export const mostProblems = 1000
