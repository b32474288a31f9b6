/** Reads what is said of an engine's functions, which is written down like a dictionary. */
import type { FunctionWords } from './engine-help.ts'

/**
 * Reads the entries. The head of one is a name, names for parameters that have none, `[over]` or `[table]`, and behind
 * a colon the description. The indented lines below it are forms, and behind `>` an example.
 */
export function readFunctionWords(text: string): ReadonlyMap<string, FunctionWords> {
  return new Map(
    text
      .trim()
      .split(/\n(?! )/)
      .map(readEntry),
  )
}

const marks: Readonly<Record<string, FunctionWords>> = {
  over: { kind: 'aggregate', needsOver: true },
  table: { kind: 'table' },
}

function readEntry(entry: string): readonly [string, FunctionWords] {
  const [head = '', ...lines] = entry.split(/\n */)
  const [, name = '', parameters = '', mark = '', description = ''] =
    /^(\w+)((?: \w+)*)(?: \[(\w+)\])?: (.*)$/.exec(head) ?? []
  const names = parameters.trim()
  const forms = lines.filter(line => !line.startsWith('>'))
  const example = lines.find(line => line.startsWith('>'))?.slice(2)
  return [
    name,
    {
      ...marks[mark],
      description,
      ...(names !== '' && { names: names.split(' ') }),
      ...(forms.length > 0 && { forms }),
      ...(example !== undefined && { example }),
    },
  ]
}
