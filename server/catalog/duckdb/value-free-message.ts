/** What DuckDB says of a failure without any value of the data: values may be personal. */

const types =
  'TINYINT|SMALLINT|INTEGER|BIGINT|HUGEINT|U?INT(?:8|16|32|64|128)|FLOAT|DOUBLE|DECIMAL\\(\\d+,\\s*\\d+\\)|DATE|TIMESTAMP(?:_S|_MS|_NS| WITH TIME ZONE)?|TIMESTAMPTZ|TIME|BOOL(?:EAN)?|UUID|INTERVAL|BLOB|BIT|VARCHAR|JSON'
const castTo = new RegExp(`\\b(?:to|type|range for the destination type) '?(${types})'?(?![A-Za-z])`, 'g')

/** These come before any row is read, and name only what the SQL says. */
const beforeRows = /^(?:Parser|Syntax|Binder|Catalog|Dependency|Permission|Not implemented) Error: /

export function messageWithoutValues(message: string): string {
  const kind = /^([A-Z][A-Za-z]*(?: [A-Za-z]+)? Error): /.exec(message)?.[1]
  // The names of a pivot's columns are values of the data.
  if (beforeRows.test(message)) return withoutNames(message.split('\n', 1)[0] ?? '')
  const [target] = [...message.matchAll(castTo)].flatMap(([, type]) => type ?? []).slice(-1)
  const what = target === undefined ? 'a value does not fit' : `a value cannot become ${target}`
  return `${kind === undefined ? '' : `${kind}: `}${what} (values are not shown: the asset reads personal data)`
}

function withoutNames(line: string): string {
  return line.replace(/\s*(?:Candidate (?:bindings|functions)|Did you mean)\b.*$/s, '').trim()
}
