/** Classes of SQL keywords, in lower case. */

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/))

/** Keywords after which an operand must follow: a column, a literal, a function. */
export const operandFollows = words(
  `select distinct all where and or not on by having qualify when then else case in like ilike glob between is
  similar to escape from any some using filter over limit offset interval returning collate exists`,
)

/** Keywords that can end an expression like a name. */
export const operandWords = words('null true false end current_date current_timestamp current_time')

export const setOperators = words('union except intersect')
