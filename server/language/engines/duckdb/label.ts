/** What people call it; alone in its file, since the process that runs SQL needs no more of the description than this. */
export const label = 'DuckDB'
