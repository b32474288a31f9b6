/** Operation of the service: health, metrics, log, documentation, start and stop. */
export { type AuditReport, checkAudit } from './audit-check.ts'
export { restoreBackup, writeBackup } from './backup.ts'
export { documentRoutes } from './document-routes.ts'
export { type Health, healthRoutes } from './health-routes.ts'
export { createLog, type LogLevel, logLevels, type ServiceLog } from './log.ts'
export { createMetrics, type Metrics } from './metrics.ts'
export { createHttpServer, listen, urlOf } from './server.ts'
export { createStopping, type StopTimes } from './stopping.ts'
