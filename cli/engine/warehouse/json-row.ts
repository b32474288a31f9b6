/** Sets a column of a row. A column may be called `__proto__`, which an assignment would lose. */
export function setColumn(row: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== '__proto__') row[name] = value
  else Object.defineProperty(row, name, { value, enumerable: true, configurable: true, writable: true })
}
