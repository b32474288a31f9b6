/** The facts about PostgreSQL's functions that must be known without asking it. */

import { wordSet } from '../../sql/grammar.ts'
import type { EngineFunctions } from '../engine.ts'
import { aggregates, ofOneType, windows } from './facts.generated.ts'
import { effectOf, extensionEffects, ownEffects } from './function-effects.ts'
import { functionOptions } from './function-options.ts'
import { valueWords } from './value-words.ts'

const summarizing = wordSet('avg count stddev stddev_pop stddev_samp sum var_pop var_samp variance')

export const postgresFunctions: EngineFunctions = {
  valueWords,
  effectOf,
  effects: ownEffects.listed,
  isVolatile: (name, count) =>
    valueWords.has(name) || ownEffects.isVolatile(name, count) || extensionEffects.isVolatile(name, count),
  ofAnything: 'concat',
  withLambda: new Set(),
  aggregates: wordSet(aggregates),
  windows: new Set([...wordSet(windows)].filter(name => !wordSet(aggregates).has(name))),
  summarizing,
  // PostgreSQL has any_value since version 16.
  ofAnyRow: 'min',
  ofOneType: wordSet(ofOneType),
  options: functionOptions,
}
