/**
 * Every name that the code shares with package.json: commands, views, settings, context keys. A test compares
 * the two. The names of code lenses are in the protocol of the language server.
 */
import { lensCommands } from '@svc/server/protocol'

export const languageId = 'svc'
export const taskType = 'svc'
/** The id of the provider of servers for agents. */
export const agentServersId = 'svc'
/** The participant of the chat, `@svc`. */
export const participantId = 'svc.chat'
/** The tools that the editor's language models may use. */
export const toolIds = {
  context: 'svc_context',
  problems: 'svc_problems',
  propose: 'svc_propose_change',
} as const

export const commandIds = {
  runAsset: lensCommands.run,
  runWithUpstreams: 'svc.runWithUpstreams',
  runWithDownstreams: 'svc.runWithDownstreams',
  previewAsset: lensCommands.preview,
  testAsset: lensCommands.test,
  sampleAsset: lensCommands.sample,
  showRuns: lensCommands.history,
  openLineage: lensCommands.lineage,
  rollbackAsset: 'svc.rollbackAsset',
  planAsset: 'svc.planAsset',
  versions: 'svc.versions',
  rejects: 'svc.rejects',
  publishAsset: 'svc.publishAsset',
  newTerm: 'svc.newTerm',
  openGlossary: 'svc.openGlossary',
  runAll: 'svc.runAll',
  runModified: 'svc.runModified',
  previewAll: 'svc.previewAll',
  promote: 'svc.promote',
  rollbackAll: 'svc.rollbackAll',
  retry: 'svc.retry',
  plan: 'svc.plan',
  validate: 'svc.validate',
  testAll: 'svc.testAll',
  unitTests: 'svc.unitTests',
  logs: 'svc.logs',
  status: 'svc.status',
  freshness: 'svc.freshness',
  doctor: 'svc.doctor',
  init: 'svc.init',
  createAsset: 'svc.createAsset',
  newFromSource: 'svc.newFromSource',
  gc: 'svc.gc',
  manifest: 'svc.manifest',
  runAgain: 'svc.runAgain',
  rollbackTo: 'svc.rollbackTo',
  openLog: 'svc.openLog',
  showLog: 'svc.showLog',
  openFailure: 'svc.openFailure',
  showRunning: 'svc.showRunning',
  previewRows: 'svc.previewRows',
  showCompiledSql: 'svc.showCompiledSql',
  openWalkthrough: 'svc.openWalkthrough',
  pickEnvironment: 'svc.pickEnvironment',
  restartServer: 'svc.restartServer',
  showOutput: 'svc.showOutput',
  aiExplain: 'svc.aiExplain',
  aiReview: 'svc.aiReview',
  aiFix: 'svc.aiFix',
  aiTests: 'svc.aiTests',
  aiNew: 'svc.aiNew',
  aiChooseModel: 'svc.aiChooseModel',
  aiApply: 'svc.aiApply',
  aiDiscard: 'svc.aiDiscard',
} as const

export type CommandId = (typeof commandIds)[keyof typeof commandIds]

export const viewIds = {
  assets: 'svc.assets',
  runs: 'svc.runs',
  glossary: 'svc.glossary',
} as const

/** The names without the prefix `svc.`. */
export const settingNames = {
  environment: 'environment',
  confirmEnvironments: 'confirmEnvironments',
  env: 'env',
  envFile: 'envFile',
  sampleLimit: 'sample.limit',
  allowWrite: 'agents.allowWrite',
  notifyOnSuccess: 'notifyOnSuccess',
  useProjectSvc: 'useProjectSvc',
  lineageFollowsEditor: 'lineage.followEditor',
} as const

/** The keys in `when` clauses of package.json. */
export const contextKeys = {
  hasProject: 'svc.hasProject',
  isEmpty: 'svc.isEmpty',
  hasAssets: 'svc.hasAssets',
  hasRun: 'svc.hasRun',
} as const
