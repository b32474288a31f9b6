/** The step in `RawColumn.path` into the elements of a list. */
export const listStep = '[]'
