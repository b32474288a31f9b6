/** The files of the hosted service that are made from its table of routes. */
import { clientTypes, openApiDocument } from '../../hosted-api/openapi/index.ts'
import { describedRoutes } from '../../hosted-api/routes.ts'

/** Text of each generated file by its path. */
export function hostedFiles(version: string): readonly (readonly [string, string])[] {
  const document = openApiDocument(describedRoutes(version), version)
  return [['hosted-api/client/operations.ts', clientTypes(document)]]
}
