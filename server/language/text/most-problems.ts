/** So many problems of one file are listed, and so many are looked for where looking is dear. */
export const mostProblems = 1000
