/** Services that count records, and those that hardly say anything. */
import { numberIn, orNone, orNull, type PagingService, part, skipped } from './ask.ts'

export const services: readonly PagingService[] = [
  {
    name: 'OData with a count and $skip',
    lines: ['params: {$top: 10, $count: "true"}'],
    answer: ask => ({ body: { '@odata.count': ask.records.length, value: skipped(ask, '$skip').items } }),
  },
  {
    name: 'Stripe',
    explicit: '{type: keyset, key: id, param: starting_after, more: has_more}',
    answer(ask) {
      const after = ask.query.get('starting_after')
      const { items, hasMore } = part(
        ask,
        after === null ? 0 : ask.records.findIndex(({ id }) => String(id) === after) + 1,
      )
      return { body: { object: 'list', url: '/v1/things', has_more: hasMore, data: items } }
    },
  },
  {
    name: 'Twitter 1',
    answer(ask) {
      const own = part(ask, numberIn(ask.query.get('cursor'), 0))
      return {
        body: {
          users: own.items,
          next_cursor: own.hasMore ? own.end : 0,
          next_cursor_str: own.hasMore ? String(own.end) : '0',
          previous_cursor: 0,
        },
      }
    },
  },
  {
    name: 'Bitbucket Server',
    answer(ask) {
      const { items, start, end, hasMore } = skipped(ask, 'start')
      return {
        body: {
          size: items.length,
          limit: 10,
          isLastPage: !hasMore,
          values: items,
          start,
          nextPageStart: orNull(hasMore, end),
        },
      }
    },
  },
  {
    name: 'Jira',
    explicit: '{type: offset, param: startAt, total: total}',
    answer(ask) {
      const { items, start, total } = skipped(ask, 'startAt')
      return { body: { expand: 'x', startAt: start, maxResults: 10, total, issues: items } }
    },
  },
  {
    name: 'Jira, agile',
    explicit: '{type: offset, param: startAt, last: isLast}',
    answer(ask) {
      const { items, start, hasMore } = skipped(ask, 'startAt')
      return { body: { maxResults: 10, startAt: start, isLast: !hasMore, values: items } }
    },
  },
  {
    name: 'SCIM',
    answer(ask) {
      const { items, start, total } = skipped(ask, 'startIndex', 1)
      return {
        body: {
          schemas: ['list'],
          totalResults: total,
          startIndex: start + 1,
          itemsPerPage: 10,
          Resources: items,
        },
      }
    },
  },
  {
    name: 'Companies House',
    answer(ask) {
      const { items, start, total } = skipped(ask, 'start_index')
      return { body: { items, items_per_page: 10, start_index: start, total_results: total } }
    },
  },
  {
    name: 'Pipedrive',
    answer(ask) {
      const { items, start, end, hasMore } = skipped(ask, 'start')
      return {
        body: {
          success: true,
          data: items,
          additional_data: {
            pagination: {
              start,
              limit: 10,
              more_items_in_collection: hasMore,
              ...orNone(hasMore, { next_start: end }),
            },
          },
        },
      }
    },
  },
  {
    name: 'PagerDuty',
    answer(ask) {
      const { items, start, hasMore } = skipped(ask, 'offset')
      return { body: { incidents: items, limit: 10, offset: start, more: hasMore, total: null } }
    },
  },
  {
    name: 'Contentful',
    answer(ask) {
      const { items, start, total } = skipped(ask, 'skip')
      return { body: { sys: { type: 'Array' }, total, skip: start, limit: 10, items } }
    },
  },
  {
    name: 'GBIF',
    answer(ask) {
      const { items, start, total, hasMore } = skipped(ask, 'offset')
      return { body: { offset: start, limit: 10, endOfRecords: !hasMore, count: total, results: items } }
    },
  },
  {
    name: 'NOAA: offsets from one',
    answer(ask) {
      const { items, start, total } = skipped(ask, 'offset', 1)
      return {
        body: { metadata: { resultset: { offset: start + 1, count: total, limit: 10 } }, results: items },
      }
    },
  },
  {
    name: 'openFDA',
    answer(ask) {
      const { items, start, total } = skipped(ask, 'skip')
      return {
        body: { meta: { disclaimer: 'x', results: { skip: start, limit: 10, total } }, results: items },
      }
    },
  },
  {
    name: 'Solr',
    answer(ask) {
      const { items, start, total } = skipped(ask, 'start')
      return {
        body: { responseHeader: { status: 0, QTime: 3 }, response: { numFound: total, start, docs: items } },
      }
    },
  },
  {
    name: 'Elasticsearch',
    lines: ['params: {size: 10}'],
    answer(ask) {
      const { items, total } = skipped(ask, 'from')
      return {
        body: { took: 3, timed_out: false, hits: { total: { value: total, relation: 'eq' }, hits: items } },
      }
    },
  },
  {
    name: 'Elasticsearch, a scroll',
    cannotBeFollowed: true,
    answer(ask) {
      const { items, total } = part(ask, 0)
      return {
        body: {
          _scroll_id: 'DXF1ZXJ5QW5k',
          took: 3,
          hits: { total: { value: total, relation: 'eq' }, hits: items },
        },
      }
    },
  },
  {
    name: 'Semantic Scholar: the next offset',
    answer(ask) {
      const { items, start, end, total, hasMore } = skipped(ask, 'offset')
      return { body: { total, offset: start, ...orNone(hasMore, { next: end }), data: items } }
    },
  },
  {
    name: 'only the next offset',
    answer(ask) {
      const { items, end, hasMore } = skipped(ask, 'offset')
      return { body: { data: items, next_offset: orNull(hasMore, end) } }
    },
  },
  {
    name: 'only a flag',
    cannotBeFollowed: true,
    answer: ask => ({ body: { items: part(ask, 0).items, has_more: part(ask, 0).hasMore } }),
  },
  {
    name: 'only a flag of the end',
    cannotBeFollowed: true,
    answer: ask => ({ body: { items: part(ask, 0).items, isLastPage: !part(ask, 0).hasMore } }),
  },
  {
    name: 'Close',
    lines: ['params: {_limit: 10}'],
    answer(ask) {
      const { items, hasMore } = skipped(ask, '_skip')
      return { body: { has_more: hasMore, data: items } }
    },
  },
  {
    name: 'Mailchimp',
    lines: ['params: {count: 10}'],
    answer: ask => ({ body: { lists: skipped(ask, 'offset').items, total_items: ask.records.length } }),
  },
  {
    name: 'Google Books',
    lines: ['params: {maxResults: 10}'],
    answer: ask => ({
      body: { kind: 'books', totalItems: ask.records.length, items: skipped(ask, 'startIndex').items },
    }),
  },
  {
    name: 'Yelp: only a total',
    cannotBeFollowed: true,
    answer: ask => ({ body: { businesses: part(ask, 0).items, total: ask.records.length } }),
  },
  {
    name: 'a total that is called by its list',
    cannotBeFollowed: true,
    answer: ask => ({ body: { transactions: part(ask, 0).items, total_transactions: ask.records.length } }),
  },
  {
    name: 'MusicBrainz',
    answer(ask) {
      const { items, start, total } = skipped(ask, 'offset')
      return { body: { created: 'now', 'artist-count': total, 'artist-offset': start, artists: items } }
    },
  },
  {
    name: 'dbt Cloud',
    answer(ask) {
      const { items, start, total } = skipped(ask, 'offset')
      return {
        body: {
          status: { code: 200 },
          data: items,
          extra: {
            filters: { limit: 10, offset: start },
            pagination: { count: items.length, total_count: total },
          },
        },
      }
    },
  },
  {
    name: 'ArcGIS',
    answer(ask) {
      const own = skipped(ask, 'resultOffset')
      return {
        body: {
          objectIdFieldName: 'id',
          features: own.items,
          ...orNone(own.hasMore, { exceededTransferLimit: true }),
        },
      }
    },
  },
  {
    name: 'a search by POST with from and size',
    lines: ['method: POST', 'body: {query: shoes, from: 0, size: 10}'],
    answer(ask) {
      const { items, total } = skipped(ask, 'from')
      return { body: { results: items, total } }
    },
  },
  {
    name: 'DynamoDB behind a gateway',
    lines: ['method: POST', 'body: {TableName: things}'],
    answer(ask) {
      const key = ask.body['ExclusiveStartKey'] as { readonly id?: number } | undefined
      const own = part(ask, key?.id ?? 0)
      return {
        body: {
          Items: own.items,
          Count: own.items.length,
          ...orNone(own.hasMore, { LastEvaluatedKey: { id: own.end } }),
        },
      }
    },
  },
  {
    name: 'Twitter 1, a list of ids',
    lines: ['records: ids'],
    explicit: '{type: cursor, path: next_cursor, param: cursor}',
    answer(ask) {
      const own = part(ask, numberIn(ask.query.get('cursor'), 0))
      return { body: { ids: own.items, next_cursor: own.hasMore ? own.end : 0 } }
    },
  },
]
