/**
 * What a source reads, under the names that OpenLineage gives to it: other tools name the same table or file alike. Of an
 * address no user, password or query is taken.
 */
export interface ExternalDataset {
  /** Absent for a table of the warehouse. */
  readonly namespace?: string
  readonly name: string
}

/** `scheme://user@host:port/path?query`; a host may be `[::1]`. */
const address = /^([a-z][a-z0-9+.-]*):\/\/(?:[^/?#]*@)?([^/?#@]+)([^?#]*)/i

export function addressParts(text: string) {
  const [, scheme = '', host = '', path = ''] = address.exec(text) ?? []
  return host === '' ? undefined : { scheme: scheme.toLowerCase(), host: host.toLowerCase(), path }
}

/** A file or a list of records below an address. */
export function datasetBelow(endpoint: string, resource: string): ExternalDataset | undefined {
  const parts = addressParts(endpoint)
  if (parts === undefined) return undefined
  const { scheme, host, path } = parts
  const name = pathBelow(path, resource)
  // The key of an object begins with no slash; the path of an address does.
  return { namespace: `${scheme}://${host}`, name: scheme === 's3' ? name.replace(/^\/+/, '') : name }
}

/** A file in a folder of this machine, or below an address. */
export function fileDataset(resource: string, endpoint: string): ExternalDataset | undefined {
  return addressParts(endpoint) === undefined
    ? { namespace: 'file', name: pathBelow(endpoint, resource) }
    : datasetBelow(endpoint, resource)
}

/** Without a query: it may hold a secret. */
export function pathBelow(folder: string, resource: string): string {
  const [path = ''] = resource.split(/[?#]/)
  return [folder.replace(/\/+$/, ''), path.replace(/^\/+/, '')].join('/').replace(/^\.\//, '')
}
