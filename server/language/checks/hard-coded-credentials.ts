import type { Asset } from '../project/project.ts'
import type { Fix } from '../text/diagnostic.ts'
import type { FileCheck } from './check.ts'
import { type Credential, credentialCode, findCredentials } from './credentials.ts'

export const hardCodedCredentials: FileCheck = {
  code: credentialCode,
  severity: 'error',
  scope: 'file',
  doc: 'A password, token or key is written into the file instead of being read from the environment.',
  *run(asset) {
    for (const credential of findCredentials(asset.text, asset.tree)) {
      const variable = variableFor(asset, credential)
      yield {
        range: credential.range,
        message: `hard-coded credential: ${credential.kind}`,
        hint:
          variable === undefined
            ? 'Take it out of the file, and replace the secret if the file was ever shared.'
            : `Write env:${variable} and set that variable; replace the secret if the file was ever shared.`,
        ...(variable !== undefined && { fixes: [readFromEnvironment(asset, credential, variable)] }),
      }
    }
  },
}

/** `SOURCE__ORDERS__TOKEN`, in the manner of the default of `credentials` (decisions 1). */
function variableFor(asset: Asset, { key }: Credential): string | undefined {
  if (key === undefined) return undefined
  return ['SOURCE', asset.name, key].map(asVariable).join('__')
}

function asVariable(name: string): string {
  return name.replace(/\W+/g, '_').toUpperCase()
}

function readFromEnvironment(asset: Asset, { valueRange, range }: Credential, variable: string): Fix {
  return {
    title: `Read it from the environment: env:${variable}`,
    edits: [{ path: asset.path, range: valueRange ?? range, newText: `env:${variable}` }],
  }
}
