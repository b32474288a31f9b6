/** The functions of PostgreSQL with their descriptions, as a list of it that was written down; nothing is asked. */
import { postgres } from '../../language/engines/postgres/postgres.ts'
import {
  type FunctionBook,
  type FunctionOverload,
  functionBook,
  type SqlFunction,
} from '../../language/index.ts'
import { functions } from './function-book.generated.ts'

export async function readFunctionBook(): Promise<FunctionBook> {
  return functionBook(toldFunctions(), postgres)
}

/**
 * Returns the functions as PostgreSQL describes them. An entry has a name, the first letter of a kind and the description, and
 * behind `|` the forms, also on indented lines below it.
 */
export function toldFunctions(): readonly SqlFunction[] {
  return functions
    .trim()
    .split(/\n(?! )/)
    .map(entry => {
      const [head = '', forms = ''] = entry.replaceAll('\n', '').split(/ \|(?= |$)/)
      const [name = '', kind = '', ...description] = head.split(' ')
      return {
        name,
        kind: kinds[kind] ?? 'scalar',
        overloads: forms.split(';').map(form => readForm(form.trim())),
        description: description.join(' '),
        examples: [],
      }
    })
}

const kinds: Readonly<Record<string, SqlFunction['kind']>> = { a: 'aggregate', t: 'table' }

/** Reads `string:text, integer... -> text`: a name may be missing, and of the last type there may be any number. */
function readForm(form: string): FunctionOverload {
  const [given = '', returns] = form.split('-> ')
  const inner = given.trim()
  const parts = inner === '' ? [] : inner.split(', ')
  const parameters = parts.map(part => {
    const [type = '', name = ''] = part.replace('...', '').split(':').reverse()
    return { name, type }
  })
  const varargs = inner.endsWith('...') ? parameters.at(-1)?.type : undefined
  return { parameters, varargs, returns }
}
