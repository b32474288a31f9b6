/** Makes the facets of OpenLineage, each with the address of its schema. */
import type { Asset } from '@svc/server/language'

/** svc has no address of its own on the web, and a name says as much. */
export const producer = 'urn:svc:cli'
const specs = 'https://openlineage.io/spec'
export const eventSchema = `${specs}/2-0-2/OpenLineage.json#/$defs/RunEvent`

const versions = {
  ParentRunFacet: '1-2-0',
  ErrorMessageRunFacet: '1-0-1',
  SQLJobFacet: '1-1-0',
  DocumentationJobFacet: '1-1-0',
  OwnershipJobFacet: '1-0-1',
  SchemaDatasetFacet: '1-2-0',
  ColumnLineageDatasetFacet: '1-2-0',
  DataQualityAssertionsDatasetFacet: '1-1-0',
  DocumentationDatasetFacet: '1-1-0',
  OwnershipDatasetFacet: '1-0-1',
  DatasetVersionDatasetFacet: '1-0-1',
  OutputStatisticsOutputDatasetFacet: '1-0-2',
} as const

/** What people have written of an asset; nothing where they have not. */
export function aboutFacets(
  kind: 'Job' | 'Dataset',
  { description, owner }: Asset['definition'],
  clean: (text: string) => string,
) {
  return {
    ...(description !== undefined && {
      documentation: facet(`Documentation${kind}Facet`, { description: clean(description) }),
    }),
    ...(owner !== undefined && {
      ownership: facet(`Ownership${kind}Facet`, { owners: [{ name: clean(owner) }] }),
    }),
  }
}

export function facet<T extends object>(name: keyof typeof versions, content: T) {
  return {
    _producer: producer,
    _schemaURL: `${specs}/facets/${versions[name]}/${name}.json#/$defs/${name}`,
    ...content,
  }
}
