/** The records of a CSV text, with fields in quotes that may hold line breaks. */
export function readCsv(text: string, delimiter: string): string[][] {
  const records: string[][] = []
  let record: string[] = []
  let at = 0
  while (at < text.length) {
    const { value, end } = fieldAt(text, at, delimiter)
    record.push(value)
    if (text.startsWith(delimiter, end)) {
      at = end + delimiter.length
      if (at < text.length) continue
      record.push('')
    }
    if (record.length > 1 || record[0] !== '') records.push(record)
    record = []
    at = Math.max(at, end) + (text.startsWith('\r\n', end) ? 2 : 1)
  }
  return records
}

function fieldAt(text: string, start: number, delimiter: string) {
  if (text[start] !== '"') {
    let end = start
    while (end < text.length && text[end] !== '\n' && text[end] !== '\r' && !text.startsWith(delimiter, end))
      end++
    return { value: text.slice(start, end), end }
  }
  let value = ''
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] !== '"') value += text[at]
    else if (text[at + 1] === '"') value += text[++at]
    else return { value, end: at + 1 }
  }
  return { value, end: text.length }
}
