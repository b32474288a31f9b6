/** The files of a project that are warehouses: each command writes them, and git is to leave them alone. */
import { relative, resolve, sep } from 'node:path'
import { engines } from '@svc/server/language'

/** Returns the files below `root` that addresses name, relative to it and with `/`. */
export function warehouseFilesIn(
  root: string,
  addresses: readonly (string | undefined)[],
): readonly string[] {
  return addresses.flatMap(address => {
    const file = address === undefined ? undefined : fileOf(address)
    const path = file === undefined ? '' : relative(root, resolve(root, file)).split(sep).join('/')
    return path === '' || path.startsWith('..') || resolve(path) === path ? [] : [path]
  })
}

/** Returns the path in an address without a server; undefined for other addresses. */
function fileOf(address: string): string | undefined {
  const scheme = engines.map(({ kind }) => `${kind}:`).find(each => address.toLowerCase().startsWith(each))
  const rest = scheme === undefined ? '' : address.slice(scheme.length)
  const path = rest.replace(/^\/\/(?=[/.])/, '')
  return path === '' || path.startsWith('//') ? undefined : path
}
