/** Which words of SQL cannot be names, and what they do. Lower case. */

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/))

/** Never an alias without AS. DuckDB's reserved words, and those that go on with a FROM clause or an expression. */
export const reservedWords = words(
  `all analyse analyze and anti any array as asc asof asymmetric between both by case cast check collate column
  constraint create cross default deferrable desc describe distinct do else end escape except exclude exists false fetch
  filter for foreign from full glob group having ilike in initially inner intersect into is isnull join lambda lateral
  leading left like limit natural not notnull null offset on only or order outer over overlaps pivot placing positional primary
  qualify references respect returning right rows select semi show similar some summarize symmetric table tablesample
  then to trailing true try_cast union unique unpivot using variadic when where window with within`,
)

/** Behind these an operand must come: a column, a literal, a function. */
export const operandFollows = words(
  `select distinct all where and or not on by having qualify when then else case in like ilike glob between is
  similar to escape from any some using filter over limit offset interval returning collate exists`,
)

/** A word that ends an expression as a name does. */
export const operandWords = words('null true false end current_date current_timestamp current_time')

export const setOperators = words('union except intersect')

/** What a bracket begins with that holds a query. */
export const queryWords = words('select with from values pivot unpivot table describe show summarize')

/** Words between two tables. */
export const joinWords = words(
  'natural asof positional inner left right full outer cross semi anti join lateral',
)
