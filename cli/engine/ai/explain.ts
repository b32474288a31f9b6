/** `svc ai explain` and `svc ai review`: questions about an asset whose answers change nothing (interface.md 4.4). */
import type { JsonOf } from '@svc/server/contract'
import type { OpenedWorkspace } from '../workspace/open-workspace.ts'
import { aboutAsset } from './about-asset.ts'
import type { Asking } from './ask.ts'
import { askForValue, type Checked } from './ask-for-value.ts'
import { questionOf } from './prompt.ts'

export type Explanation = JsonOf<'ai-explain'>['explanation']
export type Review = JsonOf<'ai-review'>['review']

const mostTokens = 4096

const explainTask = (name: string) => `Explain the asset ${name} to somebody who is new to the project.
ingested: which data it takes in, and from where. transformation: what the SQL does with them, step by step.
output: its columns and what a row is. dependencies: which assets it reads, and who reads it.
purpose: what it is for in the business; say so where that is a guess.`

const reviewTask = (name: string) => `Review the asset ${name} as a strict and experienced colleague.
performance: what will be slow. data_quality: which wrong data would pass. glossary: where names, descriptions and columns
do not agree with the business terms, metrics and policies. practice: what breaks with good practice.
improvements: what to do, the most useful first. Name columns and lines of SQL; leave a list empty where nothing is to be said.`

export const explainAsset: AskAbout<Explanation> = (workspace, name, asking) =>
  askAbout(workspace, name, asking, { task: explainTask, output: 'ai-explain', part: 'explanation' })

export const reviewAsset: AskAbout<Review> = (workspace, name, asking) =>
  askAbout(workspace, name, asking, { task: reviewTask, output: 'ai-review', part: 'review' })

export type AskAbout<T> = (workspace: OpenedWorkspace, name: string, asking: Asking) => Promise<Checked<T>>

interface Wanted {
  readonly task: (name: string) => string
  /** The published output, and the part of it that is the model's own. */
  readonly output: 'ai-explain' | 'ai-review'
  readonly part: string
}

async function askAbout<T>(
  workspace: OpenedWorkspace,
  name: string,
  asking: Asking,
  { task, output, part }: Wanted,
): Promise<Checked<T>> {
  const { outputSchemas } = await import('@svc/server/contract')
  const { properties } = outputSchemas[output] as { readonly properties: Readonly<Record<string, object>> }
  const form = properties[part] ?? {}
  const { data } = await aboutAsset(workspace, name)
  return askForValue(asking, questionOf(task(name), form, data, mostTokens), form)
}
