/** Addresses and folders in one spelling, so that two spellings of one place are known to be it. */
import { addressParts } from '../sources/external-dataset.ts'

/** Returns a folder of this machine as it is usually written: `data`, `data/` and `./data//` are `./data`. */
export function folderText(folder: string): string {
  if (addressParts(folder) !== undefined || /^env:/.test(folder)) return folder
  const isAbsolute = folder.startsWith('/')
  const steps: string[] = []
  for (const step of folder.split('/')) {
    if (step === '' || step === '.') continue
    if (step === '..' && steps.length > 0 && steps.at(-1) !== '..') steps.pop()
    else if (step !== '..' || !isAbsolute) steps.push(step)
  }
  if (isAbsolute) return `/${steps.join('/')}`
  return steps[0] === '..' ? steps.join('/') : ['.', ...steps].join('/')
}

/** Returns the name or pattern of files below a folder without steps that lead nowhere. */
export function fileText(name: string): string {
  return name.replace(/^(?:\.?\/+)+/, '').replaceAll(/\/(?:\.?\/)+/g, '/')
}

/** Returns where an address leads: who asks is no part of that. */
export function addressText(endpoint: string): string {
  const parts = addressParts(endpoint)
  if (parts === undefined) return folderText(endpoint)
  const { scheme, host, path } = parts
  const query = /\?[^#]*/.exec(endpoint)?.[0] ?? ''
  return `${scheme}://${host.replace(usualPorts[scheme] ?? /$^/, '')}${path.replace(/\/+$/, '')}${query}`
}

const usualPorts: Readonly<Record<string, RegExp>> = { https: /:443$/, http: /:80$/ }
