import type { OpenDatabase } from './databases.ts'

export type Methods = Readonly<Record<string, (...input: never[]) => Promise<unknown>>>

export function callByName(methods: Methods): OpenDatabase['call'] {
  return async (method, input) => {
    const work = methods[method]
    if (work === undefined) throw new Error(`there is no method ${method}`)
    return await work(...(input as never[]))
  }
}
