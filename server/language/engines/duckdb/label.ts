/** The display name. It has its own file because the worker process needs nothing else of the description. */
export const label = 'DuckDB'
