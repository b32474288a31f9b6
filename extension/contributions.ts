/**
 * Every name that the code shares with package.json, typed once: commands, views, settings, context keys. A test
 * compares the two. Names that the language server puts into code lenses come from its protocol.
 */
import { lensCommands } from '@svc/server/protocol'

export const languageId = 'svc'
export const taskType = 'svc'

export const commandIds = {
  runAsset: lensCommands.run,
  runWithUpstreams: lensCommands.runUpstream,
  runWithDownstreams: lensCommands.runDownstream,
  previewAsset: lensCommands.preview,
  testAsset: lensCommands.test,
  sampleAsset: lensCommands.sample,
  showRuns: lensCommands.history,
  rollbackAsset: 'svc.rollbackAsset',
  planAsset: 'svc.planAsset',
  versions: 'svc.versions',
  rejects: 'svc.rejects',
  runAll: 'svc.runAll',
  runModified: 'svc.runModified',
  previewAll: 'svc.previewAll',
  promote: 'svc.promote',
  rollbackAll: 'svc.rollbackAll',
  retry: 'svc.retry',
  plan: 'svc.plan',
  validate: 'svc.validate',
  testAll: 'svc.testAll',
  status: 'svc.status',
  freshness: 'svc.freshness',
  doctor: 'svc.doctor',
  init: 'svc.init',
  createAsset: 'svc.createAsset',
  gc: 'svc.gc',
  manifest: 'svc.manifest',
  pickEnvironment: 'svc.pickEnvironment',
  restartServer: 'svc.restartServer',
  showOutput: 'svc.showOutput',
} as const

export type CommandId = (typeof commandIds)[keyof typeof commandIds]

/** Without the prefix `svc.`. */
export const settingNames = {
  environment: 'environment',
  confirmEnvironments: 'confirmEnvironments',
  env: 'env',
  envFile: 'envFile',
} as const

/** What `when` clauses of package.json ask for. */
export const contextKeys = {
  hasProject: 'svc.hasProject',
} as const
