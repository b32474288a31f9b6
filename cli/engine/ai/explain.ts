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

export const explainAsset: AskAbout<Explanation> = async (workspace, name, asking) => {
  const { askedExplanation } = await import('@svc/server/contract')
  const question = await questionAbout(workspace, explainTask(name), name, askedExplanation)
  return askForValue(asking, question, askedExplanation, { fromProse: explanationIn })
}

export const reviewAsset: AskAbout<Review> = async (workspace, name, asking) => {
  const { outputSchemas } = await import('@svc/server/contract')
  const { properties } = outputSchemas['ai-review'] as { readonly properties: { readonly review: object } }
  const question = await questionAbout(workspace, reviewTask(name), name, properties.review)
  return askForValue(asking, question, properties.review)
}

export type AskAbout<T> = (workspace: OpenedWorkspace, name: string, asking: Asking) => Promise<Checked<T>>

async function questionAbout(workspace: OpenedWorkspace, task: string, name: string, form: object) {
  const { data } = await aboutAsset(workspace, name)
  return questionOf(task, form, data, mostTokens)
}

/** Less is a greeting or a promise, and no explanation. */
const shortestExplanation = 80

/** Many models, small ones above all, explain in sentences whatever form they are asked for. People read these as well. */
function explanationIn(text: string): Explanation | undefined {
  const prose = text.trim()
  if (prose.length < shortestExplanation) return undefined
  return { ingested: '', transformation: '', output: '', dependencies: '', purpose: '', prose }
}
