import { settingsPath } from '../project/parse-settings.ts'
import type { Settings } from '../project/project.ts'
import type { Node } from '../syntax/node.ts'
import { longestText } from '../syntax/yaml.ts'
import type { Fix } from '../text/diagnostic.ts'
import type { FileCheck, Finding } from './check.ts'
import { type Credential, credentialCode, findCredentials, isBrokenYaml } from './credentials.ts'

export const hardCodedCredentials: FileCheck = {
  code: credentialCode,
  doc: 'A password, token or key is written into the file instead of being read from the environment.',
  run: ({ path, text, tree, name, diagnostics }) =>
    findingsIn({ path, text, tree, isBroken: isBrokenYaml(diagnostics), variable: ['SOURCE', name] }),
}

/** Checks `svc.yaml`, which is no asset. */
export function credentialsInSettings({ file, diagnostics }: Settings): readonly Finding[] {
  if (file === undefined) return []
  return findingsIn({ ...file, path: settingsPath, isBroken: isBrokenYaml(diagnostics), variable: ['SVC'] })
}

interface File {
  readonly path: string
  readonly text: string
  readonly tree: Node | undefined
  readonly isBroken: boolean
  /** The first words of the proposed variable names. */
  readonly variable: readonly string[]
}

function findingsIn(file: File): readonly Finding[] {
  return findCredentials(searched(file), file.tree, file.isBroken).map(credential => {
    const message = `hard-coded credential: ${credential.kind}`
    const variable = variableFor(file, credential)
    if (variable === undefined) {
      const hint = 'Take it out of the file, and replace the secret if the file was ever shared.'
      return { range: credential.range, message, hint }
    }
    return {
      range: credential.range,
      message,
      hint: `Write env:${variable} and set that variable; replace the secret if the file was ever shared.`,
      fixes: [readFromEnvironment(file, credential, variable)],
    }
  })
}

/** Returns the text to search: of a file that is too long to be parsed only the first line. */
function searched({ text }: File): string {
  return text.length > longestText ? (text.split('\n', 1)[0] ?? '').slice(0, 1000) : text
}

/** Returns a name such as `SOURCE__ORDERS__TOKEN`, like the default of `credentials` (decisions 1). */
function variableFor(file: File, { key }: Credential): string | undefined {
  // Broken YAML may have any text in place of a key, so it is used only if it looks like one.
  if (key === undefined || !/^[\w.-]{1,60}$/.test(key)) return undefined
  return [...file.variable, key].map(asVariable).join('__')
}

function asVariable(name: string): string {
  return name.replace(/\W+/g, '_').toUpperCase()
}

function readFromEnvironment({ path }: File, { valueRange, range }: Credential, variable: string): Fix {
  return {
    title: `Read it from the environment: env:${variable}`,
    edits: [{ path, range: valueRange ?? range, newText: `env:${variable}` }],
  }
}
