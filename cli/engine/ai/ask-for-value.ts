/** An answer counts only when it is JSON of the shape that was asked for and passes every check; a second try gets the errors. */
import { SvcError } from '../errors.ts'
import { type Asking, ask } from './ask.ts'
import { problemsIn } from './check-answer.ts'
import type { Answer, Question, Turn } from './models/model.ts'

export interface Checked<T> {
  readonly value: T
  readonly tries: number
  /** Of all tries; undefined if the provider did not say it. */
  readonly inputTokens: number | undefined
  readonly outputTokens: number | undefined
}

const mostTries = 2
const mostProblems = 20

interface Reading<T> {
  /** Returns what is wrong with a value of the right shape; nothing if it holds. */
  readonly check?: (value: T) => Promise<readonly string[]>
  /** Returns the value of an answer that is plain text; undefined if it says nothing. Without it, plain text is no answer. */
  readonly fromProse?: (text: string) => T | undefined
}

/**
 * Throws SvcError `answer-invalid`, and what `ask` throws.
 */
export async function askForValue<T>(
  asking: Asking,
  question: Question,
  shape: object,
  { check = async () => [], fromProse = () => undefined }: Reading<T> = {},
): Promise<Checked<T>> {
  const turns: Turn[] = [...question.turns]
  const answers: Answer[] = []
  let problems: readonly string[] = []
  while (answers.length < mostTries) {
    const answer = await ask(asking, { ...question, turns })
    answers.push(answer)
    const prose = isProse(answer) ? fromProse(answer.text) : undefined
    if (prose !== undefined) return { value: prose, tries: answers.length, ...tokensOf(answers) }
    const read = readAnswer(answer)
    problems = 'problem' in read ? [read.problem] : problemsIn(read.value, shape)
    if (problems.length === 0 && 'value' in read) {
      problems = await check(read.value as T)
      if (problems.length === 0)
        return { value: read.value as T, tries: answers.length, ...tokensOf(answers) }
    }
    turns.push(
      { from: 'model', text: answer.text === '' ? '(nothing)' : answer.text },
      { from: 'user', text: againWith(problems) },
    )
  }
  const { provider, model } = asking.choice
  const shown = problems.slice(0, mostProblems).map(problem => `\n  ${problem}`)
  throw new SvcError(
    'answer-invalid',
    `${provider} ${model} answered twice with what does not hold:${shown.join('')}`,
    {
      hint: 'Nothing was changed. Ask again, or choose a stronger model: svc config ai --model.',
    },
  )
}

function againWith(problems: readonly string[]): string {
  return [
    'Your answer does not hold:',
    ...problems.slice(0, mostProblems).map(problem => `- ${problem}`),
    'Answer again with the whole JSON, corrected, and nothing else.',
  ].join('\n')
}

type Read = { readonly value: unknown } | { readonly problem: string }

/** Many models write a fence around JSON, whatever they are told. */
function readAnswer({ text, end }: Answer): Read {
  if (end === 'refused') return { problem: 'the provider refused to answer' }
  if (end === 'cut') return { problem: 'the answer is too long and was cut: be brief' }
  const fenced = /^\s*```(?:json)?\s*\n([\s\S]*?)\n?```\s*$/.exec(text)?.[1] ?? text
  try {
    return { value: JSON.parse(fenced) as unknown }
  } catch (error) {
    return { problem: `it is no JSON: ${error instanceof Error ? error.message : String(error)}` }
  }
}

/** A whole answer that does not try to be JSON. */
function isProse({ text, end }: Answer): boolean {
  return end !== 'refused' && end !== 'cut' && !/^\s*[{[]|```/.test(text)
}

function tokensOf(answers: readonly Answer[]): Pick<Checked<unknown>, 'inputTokens' | 'outputTokens'> {
  const sum = (counts: readonly (number | undefined)[]) =>
    counts.reduce<number | undefined>(
      (total, each) => (total === undefined || each === undefined ? undefined : total + each),
      0,
    )
  return {
    inputTokens: sum(answers.map(({ inputTokens }) => inputTokens)),
    outputTokens: sum(answers.map(({ outputTokens }) => outputTokens)),
  }
}
