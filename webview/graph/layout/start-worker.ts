/**
 * Starts elkjs in a worker from its source text. VS Code's webviews cannot load worker scripts, so the text
 * is fetched and turned into a Blob in both hosts; a strict page with Trusted Types gets its own policy.
 */
import type { LayoutWorker } from './elk-layout.ts'

interface Policy {
  createScriptURL(url: string): string
}

interface TrustedTypes {
  createPolicy(name: string, rules: Policy): Policy
}

let policy: Policy | undefined

export async function startWorker(scriptUrl: string): Promise<LayoutWorker> {
  const response = await fetch(scriptUrl)
  if (!response.ok) throw new Error(`the layout script answered ${response.status}`)
  const url = URL.createObjectURL(new Blob([await response.text()], { type: 'text/javascript' }))
  const worker = new Worker(trusted(url))
  URL.revokeObjectURL(url)
  return worker as unknown as LayoutWorker
}

function trusted(url: string): string {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes }
  policy ??= trustedTypes?.createPolicy('svc-graph', {
    createScriptURL(each) {
      if (!each.startsWith('blob:')) throw new TypeError('workers are made of blobs only')
      return each
    },
  })
  return policy?.createScriptURL(url) ?? url
}
