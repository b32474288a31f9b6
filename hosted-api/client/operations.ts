// Generated from the routes of the service by `npm run docs`; not edited by hand.

export type AuditEntry = {
  /** Record number. */
  readonly id: number
  /** Null: of the service itself. */
  readonly project: number | null
  readonly revision: number
  readonly at: string
  readonly actor: string
  /** `term.create`, `token.revoke` */
  readonly action: string
  /** `term:12` */
  readonly target: string
  readonly request_id: string
  readonly details: unknown
  /** SHA-256 of the entry and of the hash before it. */
  readonly hash: string
}

export type NewToken = {
  /** Stands in the audit log and in created_by. */
  readonly name: string
  readonly scopes: readonly ('glossary:read' | 'glossary:write' | 'metadata:read' | 'metadata:upload' | 'projects:read' | 'projects:admin' | 'tokens:admin' | 'audit:read' | 'webhooks:admin')[]
  /** Record numbers of projects, or "all": also those that are made later. */
  readonly projects: readonly (number)[] | 'all'
  /** 90 when left out. */
  readonly expires_in_days?: number
  /** Only a token with all scopes and all projects may ask for it. */
  readonly never_expires?: true
}

export type Problem = {
  readonly success: false
  readonly type: string
  readonly title: string
  readonly status: number
  readonly code: 'malformed_json' | 'invalid_cursor' | 'invalid_header' | 'unauthorized' | 'forbidden' | 'not_found' | 'method_not_allowed' | 'not_acceptable' | 'timeout' | 'already_exists' | 'in_use' | 'ended' | 'project_mismatch' | 'request_in_progress' | 'version_mismatch' | 'too_large' | 'uri_too_long' | 'unsupported_media_type' | 'invalid' | 'idempotency_key_reused' | 'if_match_required' | 'rate_limited' | 'headers_too_large' | 'internal' | 'unavailable' | 'storage_full'
  readonly detail: string
  readonly instance: string
  readonly request_id: string
  readonly errors?: readonly ({
    readonly pointer: string
    readonly code: string
    readonly detail: string
  })[]
}

export type Token = {
  /** Record number. */
  readonly id: number
  readonly name: string
  /** The first and last characters of the token. */
  readonly hint: string
  readonly scopes: readonly ('glossary:read' | 'glossary:write' | 'metadata:read' | 'metadata:upload' | 'projects:read' | 'projects:admin' | 'tokens:admin' | 'audit:read' | 'webhooks:admin')[]
  /** Record numbers of projects, or "all": also those that are made later. */
  readonly projects: readonly (number)[] | 'all'
  readonly status: 'active' | 'expired' | 'revoked'
  readonly created_at: string
  readonly created_by: string
  readonly expires_at: string | null
  readonly last_used_at: string | null
  readonly revoked_at: string | null
  /** Record number. */
  readonly rotated_from: number | null
}

/** Of an operation without such a part. */
export type Nothing = Readonly<Record<never, never>>

export interface Operations {
  /** Create a term */
  readonly createTerm: {
    readonly path: Nothing
    readonly query: Nothing
    readonly body: {
      /** Record number. */
      readonly project: number
      /** Your own identifier of the record; made of the name when it is left out. */
      readonly id?: string
      /** Your own identifier of the record; made of the name when it is left out. */
      readonly identifier?: string
      /** Display name. */
      readonly name: string
      /** Definition, in words. */
      readonly description?: string | null
      /** Alternative names. */
      readonly synonyms?: readonly (string)[] | null
      /** Contact, usually an e-mail address. */
      readonly owner?: string | null
      /** How far the definition is agreed on. */
      readonly status?: 'draft' | 'in_review' | 'approved' | 'deprecated' | 'rejected' | null
      /** Who has to agree. */
      readonly reviewers?: readonly (string)[] | null
      /** Other terms, by identifier, and what they are to this one. */
      readonly related?: readonly ({
        readonly type: 'related' | 'broader' | 'narrower' | 'replaced_by' | 'antonym' | 'see_also'
        readonly term: string
      })[] | null
      /** Words to group records by. */
      readonly tags?: readonly (string)[] | null
      /** Members of your own; kept as they are. */
      readonly metadata?: { readonly [name: string]: unknown } | null
    }
    readonly answer: {
      readonly success: true
      readonly term: {
        /** Record number. */
        readonly id: number
        readonly name: string
        readonly identifier: string
        readonly description: string
        /** Record number. */
        readonly project: number
        /** Alternative names. */
        readonly synonyms: readonly (string)[]
        readonly owner: string | null
        /** How far the definition is agreed on. */
        readonly status: 'draft' | 'in_review' | 'approved' | 'deprecated' | 'rejected'
        /** Who has to agree. */
        readonly reviewers: readonly (string)[]
        /** Other terms, by identifier, and what they are to this one. */
        readonly related: readonly ({
          readonly type: 'related' | 'broader' | 'narrower' | 'replaced_by' | 'antonym' | 'see_also'
          readonly term: string
        })[]
        /** Words to group records by. */
        readonly tags: readonly (string)[]
        /** Members of your own; kept as they are. */
        readonly metadata: { readonly [name: string]: unknown }
        /** How it came here, or was last changed. */
        readonly origin: 'api' | 'pack' | 'import'
        readonly version: number
        readonly created_at: string
        readonly created_by: string
        readonly updated_at: string
        readonly updated_by: string
        readonly deleted_at?: string
      }
      readonly warnings?: readonly ({
        readonly code: string
        readonly detail: string
        readonly pointer?: string
      })[]
    }
  }
  /** List terms */
  readonly listTerms: {
    readonly path: Nothing
    readonly query: {
      readonly project?: number
      readonly q?: string
      readonly identifier?: string
      readonly name?: string
      readonly owner?: string
      readonly status?: readonly ('draft' | 'in_review' | 'approved' | 'deprecated' | 'rejected')[]
      readonly asset?: number
      readonly updated_since?: string
      readonly include?: 'deleted'
      readonly sort?: string
      readonly limit?: number
      readonly cursor?: string
      readonly fields?: readonly (string)[]
    }
    readonly body: undefined
    readonly answer: readonly ({
      /** Record number. */
      readonly id: number
      readonly name: string
      readonly identifier: string
      readonly description: string
      /** Record number. */
      readonly project: number
      /** Alternative names. */
      readonly synonyms: readonly (string)[]
      readonly owner: string | null
      /** How far the definition is agreed on. */
      readonly status: 'draft' | 'in_review' | 'approved' | 'deprecated' | 'rejected'
      /** Who has to agree. */
      readonly reviewers: readonly (string)[]
      /** Other terms, by identifier, and what they are to this one. */
      readonly related: readonly ({
        readonly type: 'related' | 'broader' | 'narrower' | 'replaced_by' | 'antonym' | 'see_also'
        readonly term: string
      })[]
      /** Words to group records by. */
      readonly tags: readonly (string)[]
      /** Members of your own; kept as they are. */
      readonly metadata: { readonly [name: string]: unknown }
      /** How it came here, or was last changed. */
      readonly origin: 'api' | 'pack' | 'import'
      readonly version: number
      readonly created_at: string
      readonly created_by: string
      readonly updated_at: string
      readonly updated_by: string
      readonly deleted_at?: string
    })[]
  }
  /** Read a term */
  readonly getTerm: {
    readonly path: {
      readonly ref: string
    }
    readonly query: {
      readonly project?: number
      readonly include?: 'deleted'
    }
    readonly body: undefined
    readonly answer: {
      /** Record number. */
      readonly id: number
      readonly name: string
      readonly identifier: string
      readonly description: string
      /** Record number. */
      readonly project: number
      /** Alternative names. */
      readonly synonyms: readonly (string)[]
      readonly owner: string | null
      /** How far the definition is agreed on. */
      readonly status: 'draft' | 'in_review' | 'approved' | 'deprecated' | 'rejected'
      /** Who has to agree. */
      readonly reviewers: readonly (string)[]
      /** Other terms, by identifier, and what they are to this one. */
      readonly related: readonly ({
        readonly type: 'related' | 'broader' | 'narrower' | 'replaced_by' | 'antonym' | 'see_also'
        readonly term: string
      })[]
      /** Words to group records by. */
      readonly tags: readonly (string)[]
      /** Members of your own; kept as they are. */
      readonly metadata: { readonly [name: string]: unknown }
      /** How it came here, or was last changed. */
      readonly origin: 'api' | 'pack' | 'import'
      readonly version: number
      readonly created_at: string
      readonly created_by: string
      readonly updated_at: string
      readonly updated_by: string
      readonly deleted_at?: string
    }
  }
  /** Replace a term, or create it under its identifier */
  readonly replaceTerm: {
    readonly path: {
      readonly ref: string
    }
    readonly query: {
      readonly project?: number
    }
    readonly body: {
      /** Record number. */
      readonly project?: number
      /** Your own identifier of the record; made of the name when it is left out. */
      readonly id?: string
      /** Your own identifier of the record; made of the name when it is left out. */
      readonly identifier?: string
      /** Display name. */
      readonly name: string
      /** Definition, in words. */
      readonly description?: string | null
      /** Alternative names. */
      readonly synonyms?: readonly (string)[] | null
      /** Contact, usually an e-mail address. */
      readonly owner?: string | null
      /** How far the definition is agreed on. */
      readonly status?: 'draft' | 'in_review' | 'approved' | 'deprecated' | 'rejected' | null
      /** Who has to agree. */
      readonly reviewers?: readonly (string)[] | null
      /** Other terms, by identifier, and what they are to this one. */
      readonly related?: readonly ({
        readonly type: 'related' | 'broader' | 'narrower' | 'replaced_by' | 'antonym' | 'see_also'
        readonly term: string
      })[] | null
      /** Words to group records by. */
      readonly tags?: readonly (string)[] | null
      /** Members of your own; kept as they are. */
      readonly metadata?: { readonly [name: string]: unknown } | null
    }
    readonly answer: {
      readonly success: true
      readonly term: {
        /** Record number. */
        readonly id: number
        readonly name: string
        readonly identifier: string
        readonly description: string
        /** Record number. */
        readonly project: number
        /** Alternative names. */
        readonly synonyms: readonly (string)[]
        readonly owner: string | null
        /** How far the definition is agreed on. */
        readonly status: 'draft' | 'in_review' | 'approved' | 'deprecated' | 'rejected'
        /** Who has to agree. */
        readonly reviewers: readonly (string)[]
        /** Other terms, by identifier, and what they are to this one. */
        readonly related: readonly ({
          readonly type: 'related' | 'broader' | 'narrower' | 'replaced_by' | 'antonym' | 'see_also'
          readonly term: string
        })[]
        /** Words to group records by. */
        readonly tags: readonly (string)[]
        /** Members of your own; kept as they are. */
        readonly metadata: { readonly [name: string]: unknown }
        /** How it came here, or was last changed. */
        readonly origin: 'api' | 'pack' | 'import'
        readonly version: number
        readonly created_at: string
        readonly created_by: string
        readonly updated_at: string
        readonly updated_by: string
        readonly deleted_at?: string
      }
      readonly warnings?: readonly ({
        readonly code: string
        readonly detail: string
        readonly pointer?: string
      })[]
    }
  }
  /** Change parts of a term */
  readonly updateTerm: {
    readonly path: {
      readonly ref: string
    }
    readonly query: {
      readonly project?: number
    }
    readonly body: {
      /** Your own identifier of the record; made of the name when it is left out. */
      readonly id?: string
      /** Your own identifier of the record; made of the name when it is left out. */
      readonly identifier?: string
      /** Display name. */
      readonly name?: string | null
      /** Definition, in words. */
      readonly description?: string | null
      /** Alternative names. */
      readonly synonyms?: readonly (string)[] | null
      /** Contact, usually an e-mail address. */
      readonly owner?: string | null
      /** How far the definition is agreed on. */
      readonly status?: 'draft' | 'in_review' | 'approved' | 'deprecated' | 'rejected' | null
      /** Who has to agree. */
      readonly reviewers?: readonly (string)[] | null
      /** Other terms, by identifier, and what they are to this one. */
      readonly related?: readonly ({
        readonly type: 'related' | 'broader' | 'narrower' | 'replaced_by' | 'antonym' | 'see_also'
        readonly term: string
      })[] | null
      /** Words to group records by. */
      readonly tags?: readonly (string)[] | null
      /** Members of your own; kept as they are. */
      readonly metadata?: { readonly [name: string]: unknown } | null
    }
    readonly answer: {
      readonly success: true
      readonly term: {
        /** Record number. */
        readonly id: number
        readonly name: string
        readonly identifier: string
        readonly description: string
        /** Record number. */
        readonly project: number
        /** Alternative names. */
        readonly synonyms: readonly (string)[]
        readonly owner: string | null
        /** How far the definition is agreed on. */
        readonly status: 'draft' | 'in_review' | 'approved' | 'deprecated' | 'rejected'
        /** Who has to agree. */
        readonly reviewers: readonly (string)[]
        /** Other terms, by identifier, and what they are to this one. */
        readonly related: readonly ({
          readonly type: 'related' | 'broader' | 'narrower' | 'replaced_by' | 'antonym' | 'see_also'
          readonly term: string
        })[]
        /** Words to group records by. */
        readonly tags: readonly (string)[]
        /** Members of your own; kept as they are. */
        readonly metadata: { readonly [name: string]: unknown }
        /** How it came here, or was last changed. */
        readonly origin: 'api' | 'pack' | 'import'
        readonly version: number
        readonly created_at: string
        readonly created_by: string
        readonly updated_at: string
        readonly updated_by: string
        readonly deleted_at?: string
      }
      readonly warnings?: readonly ({
        readonly code: string
        readonly detail: string
        readonly pointer?: string
      })[]
    }
  }
  /** Delete a term */
  readonly deleteTerm: {
    readonly path: {
      readonly ref: string
    }
    readonly query: {
      readonly project?: number
      readonly cascade?: boolean
      readonly purge?: boolean
    }
    readonly body: undefined
    readonly answer: {
      readonly success: true
    }
  }
  /** Restore a deleted term */
  readonly restoreTerm: {
    readonly path: {
      readonly ref: string
    }
    readonly query: {
      readonly project?: number
    }
    readonly body: undefined
    readonly answer: {
      readonly success: true
      readonly term: {
        /** Record number. */
        readonly id: number
        readonly name: string
        readonly identifier: string
        readonly description: string
        /** Record number. */
        readonly project: number
        /** Alternative names. */
        readonly synonyms: readonly (string)[]
        readonly owner: string | null
        /** How far the definition is agreed on. */
        readonly status: 'draft' | 'in_review' | 'approved' | 'deprecated' | 'rejected'
        /** Who has to agree. */
        readonly reviewers: readonly (string)[]
        /** Other terms, by identifier, and what they are to this one. */
        readonly related: readonly ({
          readonly type: 'related' | 'broader' | 'narrower' | 'replaced_by' | 'antonym' | 'see_also'
          readonly term: string
        })[]
        /** Words to group records by. */
        readonly tags: readonly (string)[]
        /** Members of your own; kept as they are. */
        readonly metadata: { readonly [name: string]: unknown }
        /** How it came here, or was last changed. */
        readonly origin: 'api' | 'pack' | 'import'
        readonly version: number
        readonly created_at: string
        readonly created_by: string
        readonly updated_at: string
        readonly updated_by: string
        readonly deleted_at?: string
      }
      readonly warnings?: readonly ({
        readonly code: string
        readonly detail: string
        readonly pointer?: string
      })[]
    }
  }
  /** What changed in a term */
  readonly listTermVersions: {
    readonly path: {
      readonly ref: string
    }
    readonly query: {
      readonly project?: number
    }
    readonly body: undefined
    readonly answer: readonly ({
      readonly version: number
      /** create, update, delete or restore. */
      readonly action: string
      readonly updated_at: string
      readonly updated_by: string
      readonly changes: readonly ({
        readonly field: string
        readonly old: unknown
        readonly new: unknown
      })[]
    })[]
  }
  /** A term as it was */
  readonly getTermVersion: {
    readonly path: {
      readonly ref: string
      readonly version: number
    }
    readonly query: {
      readonly project?: number
    }
    readonly body: undefined
    readonly answer: {
      /** Record number. */
      readonly id: number
      readonly name: string
      readonly identifier: string
      readonly description: string
      /** Record number. */
      readonly project: number
      /** Alternative names. */
      readonly synonyms: readonly (string)[]
      readonly owner: string | null
      /** How far the definition is agreed on. */
      readonly status: 'draft' | 'in_review' | 'approved' | 'deprecated' | 'rejected'
      /** Who has to agree. */
      readonly reviewers: readonly (string)[]
      /** Other terms, by identifier, and what they are to this one. */
      readonly related: readonly ({
        readonly type: 'related' | 'broader' | 'narrower' | 'replaced_by' | 'antonym' | 'see_also'
        readonly term: string
      })[]
      /** Words to group records by. */
      readonly tags: readonly (string)[]
      /** Members of your own; kept as they are. */
      readonly metadata: { readonly [name: string]: unknown }
      /** How it came here, or was last changed. */
      readonly origin: 'api' | 'pack' | 'import'
      readonly version: number
      readonly created_at: string
      readonly created_by: string
      readonly updated_at: string
      readonly updated_by: string
      readonly deleted_at?: string
    }
  }
  /** Create a metric */
  readonly createMetric: {
    readonly path: Nothing
    readonly query: Nothing
    readonly body: {
      /** Record number. */
      readonly project: number
      /** Your own identifier of the record; made of the name when it is left out. */
      readonly id?: string
      /** Your own identifier of the record; made of the name when it is left out. */
      readonly identifier?: string
      /** Display name. */
      readonly name: string
      /** Definition, in words. */
      readonly description?: string | null
      /** SQL, with {{ ref('<asset>') }} for tables; never executed here. */
      readonly sql_definition: string
      /** Time granularity. */
      readonly time_grain?: 'second' | 'minute' | 'hour' | 'day' | 'week' | 'month' | 'quarter' | 'year' | null
      /** Names of the assets that it draws on; completed from the ref() tags of the SQL. */
      readonly source_assets?: readonly (string)[] | null
      /** Contact, usually an e-mail address. */
      readonly owner?: string | null
      /** Unit of the value: EUR, %, orders. */
      readonly unit?: string | null
      /** Words to group records by. */
      readonly tags?: readonly (string)[] | null
      /** Members of your own; kept as they are. */
      readonly metadata?: { readonly [name: string]: unknown } | null
    }
    readonly answer: {
      readonly success: true
      readonly metric: {
        /** Record number. */
        readonly id: number
        readonly name: string
        readonly identifier: string
        readonly description: string
        /** Record number. */
        readonly project: number
        /** SQL, with {{ ref('<asset>') }} for tables; never executed here. */
        readonly sql_definition: string
        readonly time_grain: 'second' | 'minute' | 'hour' | 'day' | 'week' | 'month' | 'quarter' | 'year' | null
        /** Names of the assets that it draws on; completed from the ref() tags of the SQL. */
        readonly source_assets: readonly (string)[]
        readonly owner: string | null
        readonly unit: string | null
        /** Words to group records by. */
        readonly tags: readonly (string)[]
        /** Members of your own; kept as they are. */
        readonly metadata: { readonly [name: string]: unknown }
        /** How it came here, or was last changed. */
        readonly origin: 'api' | 'pack' | 'import'
        readonly version: number
        readonly created_at: string
        readonly created_by: string
        readonly updated_at: string
        readonly updated_by: string
        readonly deleted_at?: string
      }
      readonly warnings?: readonly ({
        readonly code: string
        readonly detail: string
        readonly pointer?: string
      })[]
    }
  }
  /** List metrics */
  readonly listMetrics: {
    readonly path: Nothing
    readonly query: {
      readonly project?: number
      readonly q?: string
      readonly identifier?: string
      readonly name?: string
      readonly time_grain?: readonly ('second' | 'minute' | 'hour' | 'day' | 'week' | 'month' | 'quarter' | 'year')[]
      readonly owner?: string
      readonly unit?: string
      readonly updated_since?: string
      readonly include?: 'deleted'
      readonly sort?: string
      readonly limit?: number
      readonly cursor?: string
      readonly fields?: readonly (string)[]
    }
    readonly body: undefined
    readonly answer: readonly ({
      /** Record number. */
      readonly id: number
      readonly name: string
      readonly identifier: string
      readonly description: string
      /** Record number. */
      readonly project: number
      /** SQL, with {{ ref('<asset>') }} for tables; never executed here. */
      readonly sql_definition: string
      readonly time_grain: 'second' | 'minute' | 'hour' | 'day' | 'week' | 'month' | 'quarter' | 'year' | null
      /** Names of the assets that it draws on; completed from the ref() tags of the SQL. */
      readonly source_assets: readonly (string)[]
      readonly owner: string | null
      readonly unit: string | null
      /** Words to group records by. */
      readonly tags: readonly (string)[]
      /** Members of your own; kept as they are. */
      readonly metadata: { readonly [name: string]: unknown }
      /** How it came here, or was last changed. */
      readonly origin: 'api' | 'pack' | 'import'
      readonly version: number
      readonly created_at: string
      readonly created_by: string
      readonly updated_at: string
      readonly updated_by: string
      readonly deleted_at?: string
    })[]
  }
  /** Read a metric */
  readonly getMetric: {
    readonly path: {
      readonly ref: string
    }
    readonly query: {
      readonly project?: number
      readonly include?: 'deleted'
    }
    readonly body: undefined
    readonly answer: {
      /** Record number. */
      readonly id: number
      readonly name: string
      readonly identifier: string
      readonly description: string
      /** Record number. */
      readonly project: number
      /** SQL, with {{ ref('<asset>') }} for tables; never executed here. */
      readonly sql_definition: string
      readonly time_grain: 'second' | 'minute' | 'hour' | 'day' | 'week' | 'month' | 'quarter' | 'year' | null
      /** Names of the assets that it draws on; completed from the ref() tags of the SQL. */
      readonly source_assets: readonly (string)[]
      readonly owner: string | null
      readonly unit: string | null
      /** Words to group records by. */
      readonly tags: readonly (string)[]
      /** Members of your own; kept as they are. */
      readonly metadata: { readonly [name: string]: unknown }
      /** How it came here, or was last changed. */
      readonly origin: 'api' | 'pack' | 'import'
      readonly version: number
      readonly created_at: string
      readonly created_by: string
      readonly updated_at: string
      readonly updated_by: string
      readonly deleted_at?: string
    }
  }
  /** Replace a metric, or create it under its identifier */
  readonly replaceMetric: {
    readonly path: {
      readonly ref: string
    }
    readonly query: {
      readonly project?: number
    }
    readonly body: {
      /** Record number. */
      readonly project?: number
      /** Your own identifier of the record; made of the name when it is left out. */
      readonly id?: string
      /** Your own identifier of the record; made of the name when it is left out. */
      readonly identifier?: string
      /** Display name. */
      readonly name: string
      /** Definition, in words. */
      readonly description?: string | null
      /** SQL, with {{ ref('<asset>') }} for tables; never executed here. */
      readonly sql_definition: string
      /** Time granularity. */
      readonly time_grain?: 'second' | 'minute' | 'hour' | 'day' | 'week' | 'month' | 'quarter' | 'year' | null
      /** Names of the assets that it draws on; completed from the ref() tags of the SQL. */
      readonly source_assets?: readonly (string)[] | null
      /** Contact, usually an e-mail address. */
      readonly owner?: string | null
      /** Unit of the value: EUR, %, orders. */
      readonly unit?: string | null
      /** Words to group records by. */
      readonly tags?: readonly (string)[] | null
      /** Members of your own; kept as they are. */
      readonly metadata?: { readonly [name: string]: unknown } | null
    }
    readonly answer: {
      readonly success: true
      readonly metric: {
        /** Record number. */
        readonly id: number
        readonly name: string
        readonly identifier: string
        readonly description: string
        /** Record number. */
        readonly project: number
        /** SQL, with {{ ref('<asset>') }} for tables; never executed here. */
        readonly sql_definition: string
        readonly time_grain: 'second' | 'minute' | 'hour' | 'day' | 'week' | 'month' | 'quarter' | 'year' | null
        /** Names of the assets that it draws on; completed from the ref() tags of the SQL. */
        readonly source_assets: readonly (string)[]
        readonly owner: string | null
        readonly unit: string | null
        /** Words to group records by. */
        readonly tags: readonly (string)[]
        /** Members of your own; kept as they are. */
        readonly metadata: { readonly [name: string]: unknown }
        /** How it came here, or was last changed. */
        readonly origin: 'api' | 'pack' | 'import'
        readonly version: number
        readonly created_at: string
        readonly created_by: string
        readonly updated_at: string
        readonly updated_by: string
        readonly deleted_at?: string
      }
      readonly warnings?: readonly ({
        readonly code: string
        readonly detail: string
        readonly pointer?: string
      })[]
    }
  }
  /** Change parts of a metric */
  readonly updateMetric: {
    readonly path: {
      readonly ref: string
    }
    readonly query: {
      readonly project?: number
    }
    readonly body: {
      /** Your own identifier of the record; made of the name when it is left out. */
      readonly id?: string
      /** Your own identifier of the record; made of the name when it is left out. */
      readonly identifier?: string
      /** Display name. */
      readonly name?: string | null
      /** Definition, in words. */
      readonly description?: string | null
      /** SQL, with {{ ref('<asset>') }} for tables; never executed here. */
      readonly sql_definition?: string | null
      /** Time granularity. */
      readonly time_grain?: 'second' | 'minute' | 'hour' | 'day' | 'week' | 'month' | 'quarter' | 'year' | null
      /** Names of the assets that it draws on; completed from the ref() tags of the SQL. */
      readonly source_assets?: readonly (string)[] | null
      /** Contact, usually an e-mail address. */
      readonly owner?: string | null
      /** Unit of the value: EUR, %, orders. */
      readonly unit?: string | null
      /** Words to group records by. */
      readonly tags?: readonly (string)[] | null
      /** Members of your own; kept as they are. */
      readonly metadata?: { readonly [name: string]: unknown } | null
    }
    readonly answer: {
      readonly success: true
      readonly metric: {
        /** Record number. */
        readonly id: number
        readonly name: string
        readonly identifier: string
        readonly description: string
        /** Record number. */
        readonly project: number
        /** SQL, with {{ ref('<asset>') }} for tables; never executed here. */
        readonly sql_definition: string
        readonly time_grain: 'second' | 'minute' | 'hour' | 'day' | 'week' | 'month' | 'quarter' | 'year' | null
        /** Names of the assets that it draws on; completed from the ref() tags of the SQL. */
        readonly source_assets: readonly (string)[]
        readonly owner: string | null
        readonly unit: string | null
        /** Words to group records by. */
        readonly tags: readonly (string)[]
        /** Members of your own; kept as they are. */
        readonly metadata: { readonly [name: string]: unknown }
        /** How it came here, or was last changed. */
        readonly origin: 'api' | 'pack' | 'import'
        readonly version: number
        readonly created_at: string
        readonly created_by: string
        readonly updated_at: string
        readonly updated_by: string
        readonly deleted_at?: string
      }
      readonly warnings?: readonly ({
        readonly code: string
        readonly detail: string
        readonly pointer?: string
      })[]
    }
  }
  /** Delete a metric */
  readonly deleteMetric: {
    readonly path: {
      readonly ref: string
    }
    readonly query: {
      readonly project?: number
      readonly purge?: boolean
    }
    readonly body: undefined
    readonly answer: {
      readonly success: true
    }
  }
  /** Restore a deleted metric */
  readonly restoreMetric: {
    readonly path: {
      readonly ref: string
    }
    readonly query: {
      readonly project?: number
    }
    readonly body: undefined
    readonly answer: {
      readonly success: true
      readonly metric: {
        /** Record number. */
        readonly id: number
        readonly name: string
        readonly identifier: string
        readonly description: string
        /** Record number. */
        readonly project: number
        /** SQL, with {{ ref('<asset>') }} for tables; never executed here. */
        readonly sql_definition: string
        readonly time_grain: 'second' | 'minute' | 'hour' | 'day' | 'week' | 'month' | 'quarter' | 'year' | null
        /** Names of the assets that it draws on; completed from the ref() tags of the SQL. */
        readonly source_assets: readonly (string)[]
        readonly owner: string | null
        readonly unit: string | null
        /** Words to group records by. */
        readonly tags: readonly (string)[]
        /** Members of your own; kept as they are. */
        readonly metadata: { readonly [name: string]: unknown }
        /** How it came here, or was last changed. */
        readonly origin: 'api' | 'pack' | 'import'
        readonly version: number
        readonly created_at: string
        readonly created_by: string
        readonly updated_at: string
        readonly updated_by: string
        readonly deleted_at?: string
      }
      readonly warnings?: readonly ({
        readonly code: string
        readonly detail: string
        readonly pointer?: string
      })[]
    }
  }
  /** What changed in a metric */
  readonly listMetricVersions: {
    readonly path: {
      readonly ref: string
    }
    readonly query: {
      readonly project?: number
    }
    readonly body: undefined
    readonly answer: readonly ({
      readonly version: number
      /** create, update, delete or restore. */
      readonly action: string
      readonly updated_at: string
      readonly updated_by: string
      readonly changes: readonly ({
        readonly field: string
        readonly old: unknown
        readonly new: unknown
      })[]
    })[]
  }
  /** A metric as it was */
  readonly getMetricVersion: {
    readonly path: {
      readonly ref: string
      readonly version: number
    }
    readonly query: {
      readonly project?: number
    }
    readonly body: undefined
    readonly answer: {
      /** Record number. */
      readonly id: number
      readonly name: string
      readonly identifier: string
      readonly description: string
      /** Record number. */
      readonly project: number
      /** SQL, with {{ ref('<asset>') }} for tables; never executed here. */
      readonly sql_definition: string
      readonly time_grain: 'second' | 'minute' | 'hour' | 'day' | 'week' | 'month' | 'quarter' | 'year' | null
      /** Names of the assets that it draws on; completed from the ref() tags of the SQL. */
      readonly source_assets: readonly (string)[]
      readonly owner: string | null
      readonly unit: string | null
      /** Words to group records by. */
      readonly tags: readonly (string)[]
      /** Members of your own; kept as they are. */
      readonly metadata: { readonly [name: string]: unknown }
      /** How it came here, or was last changed. */
      readonly origin: 'api' | 'pack' | 'import'
      readonly version: number
      readonly created_at: string
      readonly created_by: string
      readonly updated_at: string
      readonly updated_by: string
      readonly deleted_at?: string
    }
  }
  /** Create a dimension */
  readonly createDimension: {
    readonly path: Nothing
    readonly query: Nothing
    readonly body: {
      /** Record number. */
      readonly project: number
      /** Your own identifier of the record; made of the name when it is left out. */
      readonly id?: string
      /** Your own identifier of the record; made of the name when it is left out. */
      readonly identifier?: string
      /** Display name. */
      readonly name: string
      /** Definition, in words. */
      readonly description?: string | null
      /** What its values are. */
      readonly type?: 'categorical' | 'numerical' | 'boolean' | 'temporal' | 'geographic' | 'hierarchical' | null
      /** Allowed category values; of categorical and hierarchical dimensions only. */
      readonly values?: readonly (string)[] | null
      /** Contact, usually an e-mail address. */
      readonly owner?: string | null
      /** Words to group records by. */
      readonly tags?: readonly (string)[] | null
      /** Members of your own; kept as they are. */
      readonly metadata?: { readonly [name: string]: unknown } | null
    }
    readonly answer: {
      readonly success: true
      readonly dimension: {
        /** Record number. */
        readonly id: number
        readonly name: string
        readonly identifier: string
        readonly description: string
        /** Record number. */
        readonly project: number
        /** What its values are. */
        readonly type: 'categorical' | 'numerical' | 'boolean' | 'temporal' | 'geographic' | 'hierarchical'
        /** Allowed category values; of categorical and hierarchical dimensions only. */
        readonly values: readonly (string)[]
        readonly owner: string | null
        /** Words to group records by. */
        readonly tags: readonly (string)[]
        /** Members of your own; kept as they are. */
        readonly metadata: { readonly [name: string]: unknown }
        /** How it came here, or was last changed. */
        readonly origin: 'api' | 'pack' | 'import'
        readonly version: number
        readonly created_at: string
        readonly created_by: string
        readonly updated_at: string
        readonly updated_by: string
        readonly deleted_at?: string
      }
      readonly warnings?: readonly ({
        readonly code: string
        readonly detail: string
        readonly pointer?: string
      })[]
    }
  }
  /** List dimensions */
  readonly listDimensions: {
    readonly path: Nothing
    readonly query: {
      readonly project?: number
      readonly q?: string
      readonly identifier?: string
      readonly name?: string
      readonly type?: readonly ('categorical' | 'numerical' | 'boolean' | 'temporal' | 'geographic' | 'hierarchical')[]
      readonly owner?: string
      readonly updated_since?: string
      readonly include?: 'deleted'
      readonly sort?: string
      readonly limit?: number
      readonly cursor?: string
      readonly fields?: readonly (string)[]
    }
    readonly body: undefined
    readonly answer: readonly ({
      /** Record number. */
      readonly id: number
      readonly name: string
      readonly identifier: string
      readonly description: string
      /** Record number. */
      readonly project: number
      /** What its values are. */
      readonly type: 'categorical' | 'numerical' | 'boolean' | 'temporal' | 'geographic' | 'hierarchical'
      /** Allowed category values; of categorical and hierarchical dimensions only. */
      readonly values: readonly (string)[]
      readonly owner: string | null
      /** Words to group records by. */
      readonly tags: readonly (string)[]
      /** Members of your own; kept as they are. */
      readonly metadata: { readonly [name: string]: unknown }
      /** How it came here, or was last changed. */
      readonly origin: 'api' | 'pack' | 'import'
      readonly version: number
      readonly created_at: string
      readonly created_by: string
      readonly updated_at: string
      readonly updated_by: string
      readonly deleted_at?: string
    })[]
  }
  /** Read a dimension */
  readonly getDimension: {
    readonly path: {
      readonly ref: string
    }
    readonly query: {
      readonly project?: number
      readonly include?: 'deleted'
    }
    readonly body: undefined
    readonly answer: {
      /** Record number. */
      readonly id: number
      readonly name: string
      readonly identifier: string
      readonly description: string
      /** Record number. */
      readonly project: number
      /** What its values are. */
      readonly type: 'categorical' | 'numerical' | 'boolean' | 'temporal' | 'geographic' | 'hierarchical'
      /** Allowed category values; of categorical and hierarchical dimensions only. */
      readonly values: readonly (string)[]
      readonly owner: string | null
      /** Words to group records by. */
      readonly tags: readonly (string)[]
      /** Members of your own; kept as they are. */
      readonly metadata: { readonly [name: string]: unknown }
      /** How it came here, or was last changed. */
      readonly origin: 'api' | 'pack' | 'import'
      readonly version: number
      readonly created_at: string
      readonly created_by: string
      readonly updated_at: string
      readonly updated_by: string
      readonly deleted_at?: string
    }
  }
  /** Replace a dimension, or create it under its identifier */
  readonly replaceDimension: {
    readonly path: {
      readonly ref: string
    }
    readonly query: {
      readonly project?: number
    }
    readonly body: {
      /** Record number. */
      readonly project?: number
      /** Your own identifier of the record; made of the name when it is left out. */
      readonly id?: string
      /** Your own identifier of the record; made of the name when it is left out. */
      readonly identifier?: string
      /** Display name. */
      readonly name: string
      /** Definition, in words. */
      readonly description?: string | null
      /** What its values are. */
      readonly type?: 'categorical' | 'numerical' | 'boolean' | 'temporal' | 'geographic' | 'hierarchical' | null
      /** Allowed category values; of categorical and hierarchical dimensions only. */
      readonly values?: readonly (string)[] | null
      /** Contact, usually an e-mail address. */
      readonly owner?: string | null
      /** Words to group records by. */
      readonly tags?: readonly (string)[] | null
      /** Members of your own; kept as they are. */
      readonly metadata?: { readonly [name: string]: unknown } | null
    }
    readonly answer: {
      readonly success: true
      readonly dimension: {
        /** Record number. */
        readonly id: number
        readonly name: string
        readonly identifier: string
        readonly description: string
        /** Record number. */
        readonly project: number
        /** What its values are. */
        readonly type: 'categorical' | 'numerical' | 'boolean' | 'temporal' | 'geographic' | 'hierarchical'
        /** Allowed category values; of categorical and hierarchical dimensions only. */
        readonly values: readonly (string)[]
        readonly owner: string | null
        /** Words to group records by. */
        readonly tags: readonly (string)[]
        /** Members of your own; kept as they are. */
        readonly metadata: { readonly [name: string]: unknown }
        /** How it came here, or was last changed. */
        readonly origin: 'api' | 'pack' | 'import'
        readonly version: number
        readonly created_at: string
        readonly created_by: string
        readonly updated_at: string
        readonly updated_by: string
        readonly deleted_at?: string
      }
      readonly warnings?: readonly ({
        readonly code: string
        readonly detail: string
        readonly pointer?: string
      })[]
    }
  }
  /** Change parts of a dimension */
  readonly updateDimension: {
    readonly path: {
      readonly ref: string
    }
    readonly query: {
      readonly project?: number
    }
    readonly body: {
      /** Your own identifier of the record; made of the name when it is left out. */
      readonly id?: string
      /** Your own identifier of the record; made of the name when it is left out. */
      readonly identifier?: string
      /** Display name. */
      readonly name?: string | null
      /** Definition, in words. */
      readonly description?: string | null
      /** What its values are. */
      readonly type?: 'categorical' | 'numerical' | 'boolean' | 'temporal' | 'geographic' | 'hierarchical' | null
      /** Allowed category values; of categorical and hierarchical dimensions only. */
      readonly values?: readonly (string)[] | null
      /** Contact, usually an e-mail address. */
      readonly owner?: string | null
      /** Words to group records by. */
      readonly tags?: readonly (string)[] | null
      /** Members of your own; kept as they are. */
      readonly metadata?: { readonly [name: string]: unknown } | null
    }
    readonly answer: {
      readonly success: true
      readonly dimension: {
        /** Record number. */
        readonly id: number
        readonly name: string
        readonly identifier: string
        readonly description: string
        /** Record number. */
        readonly project: number
        /** What its values are. */
        readonly type: 'categorical' | 'numerical' | 'boolean' | 'temporal' | 'geographic' | 'hierarchical'
        /** Allowed category values; of categorical and hierarchical dimensions only. */
        readonly values: readonly (string)[]
        readonly owner: string | null
        /** Words to group records by. */
        readonly tags: readonly (string)[]
        /** Members of your own; kept as they are. */
        readonly metadata: { readonly [name: string]: unknown }
        /** How it came here, or was last changed. */
        readonly origin: 'api' | 'pack' | 'import'
        readonly version: number
        readonly created_at: string
        readonly created_by: string
        readonly updated_at: string
        readonly updated_by: string
        readonly deleted_at?: string
      }
      readonly warnings?: readonly ({
        readonly code: string
        readonly detail: string
        readonly pointer?: string
      })[]
    }
  }
  /** Delete a dimension */
  readonly deleteDimension: {
    readonly path: {
      readonly ref: string
    }
    readonly query: {
      readonly project?: number
      readonly purge?: boolean
    }
    readonly body: undefined
    readonly answer: {
      readonly success: true
    }
  }
  /** Restore a deleted dimension */
  readonly restoreDimension: {
    readonly path: {
      readonly ref: string
    }
    readonly query: {
      readonly project?: number
    }
    readonly body: undefined
    readonly answer: {
      readonly success: true
      readonly dimension: {
        /** Record number. */
        readonly id: number
        readonly name: string
        readonly identifier: string
        readonly description: string
        /** Record number. */
        readonly project: number
        /** What its values are. */
        readonly type: 'categorical' | 'numerical' | 'boolean' | 'temporal' | 'geographic' | 'hierarchical'
        /** Allowed category values; of categorical and hierarchical dimensions only. */
        readonly values: readonly (string)[]
        readonly owner: string | null
        /** Words to group records by. */
        readonly tags: readonly (string)[]
        /** Members of your own; kept as they are. */
        readonly metadata: { readonly [name: string]: unknown }
        /** How it came here, or was last changed. */
        readonly origin: 'api' | 'pack' | 'import'
        readonly version: number
        readonly created_at: string
        readonly created_by: string
        readonly updated_at: string
        readonly updated_by: string
        readonly deleted_at?: string
      }
      readonly warnings?: readonly ({
        readonly code: string
        readonly detail: string
        readonly pointer?: string
      })[]
    }
  }
  /** What changed in a dimension */
  readonly listDimensionVersions: {
    readonly path: {
      readonly ref: string
    }
    readonly query: {
      readonly project?: number
    }
    readonly body: undefined
    readonly answer: readonly ({
      readonly version: number
      /** create, update, delete or restore. */
      readonly action: string
      readonly updated_at: string
      readonly updated_by: string
      readonly changes: readonly ({
        readonly field: string
        readonly old: unknown
        readonly new: unknown
      })[]
    })[]
  }
  /** A dimension as it was */
  readonly getDimensionVersion: {
    readonly path: {
      readonly ref: string
      readonly version: number
    }
    readonly query: {
      readonly project?: number
    }
    readonly body: undefined
    readonly answer: {
      /** Record number. */
      readonly id: number
      readonly name: string
      readonly identifier: string
      readonly description: string
      /** Record number. */
      readonly project: number
      /** What its values are. */
      readonly type: 'categorical' | 'numerical' | 'boolean' | 'temporal' | 'geographic' | 'hierarchical'
      /** Allowed category values; of categorical and hierarchical dimensions only. */
      readonly values: readonly (string)[]
      readonly owner: string | null
      /** Words to group records by. */
      readonly tags: readonly (string)[]
      /** Members of your own; kept as they are. */
      readonly metadata: { readonly [name: string]: unknown }
      /** How it came here, or was last changed. */
      readonly origin: 'api' | 'pack' | 'import'
      readonly version: number
      readonly created_at: string
      readonly created_by: string
      readonly updated_at: string
      readonly updated_by: string
      readonly deleted_at?: string
    }
  }
  /** Create a policy */
  readonly createPolicy: {
    readonly path: Nothing
    readonly query: Nothing
    readonly body: {
      /** Record number. */
      readonly project: number
      /** Your own identifier of the record; made of the name when it is left out. */
      readonly identifier?: string
      /** Display name. */
      readonly name: string
      /** Definition, in words. */
      readonly description?: string | null
      /** The rule in words. */
      readonly rule: string
      /** Names of columns that hold personal data. */
      readonly pii_columns?: readonly (string)[] | null
      /** Patterns of asset names: exact, <schema>.*, with * and ?. Empty: all assets. */
      readonly applies_to?: readonly (string)[] | null
      /** What a breach is. */
      readonly enforcement?: 'strict' | 'warn' | 'off' | null
      /** Contact, usually an e-mail address. */
      readonly owner?: string | null
      /** Words to group records by. */
      readonly tags?: readonly (string)[] | null
      /** Members of your own; kept as they are. */
      readonly metadata?: { readonly [name: string]: unknown } | null
    }
    readonly answer: {
      readonly success: true
      readonly policy: {
        /** Record number. */
        readonly id: number
        readonly name: string
        readonly identifier: string
        readonly description: string
        /** Record number. */
        readonly project: number
        /** The rule in words. */
        readonly rule: string
        /** Names of columns that hold personal data. */
        readonly pii_columns: readonly (string)[]
        /** Patterns of asset names: exact, <schema>.*, with * and ?. Empty: all assets. */
        readonly applies_to: readonly (string)[]
        /** What a breach is. */
        readonly enforcement: 'strict' | 'warn' | 'off'
        readonly owner: string | null
        /** Words to group records by. */
        readonly tags: readonly (string)[]
        /** Members of your own; kept as they are. */
        readonly metadata: { readonly [name: string]: unknown }
        /** How it came here, or was last changed. */
        readonly origin: 'api' | 'pack' | 'import'
        readonly version: number
        readonly created_at: string
        readonly created_by: string
        readonly updated_at: string
        readonly updated_by: string
        readonly deleted_at?: string
      }
      readonly warnings?: readonly ({
        readonly code: string
        readonly detail: string
        readonly pointer?: string
      })[]
    }
  }
  /** List policies */
  readonly listPolicies: {
    readonly path: Nothing
    readonly query: {
      readonly project?: number
      readonly q?: string
      readonly identifier?: string
      readonly name?: string
      readonly enforcement?: readonly ('strict' | 'warn' | 'off')[]
      readonly owner?: string
      readonly updated_since?: string
      readonly include?: 'deleted'
      readonly sort?: string
      readonly limit?: number
      readonly cursor?: string
      readonly fields?: readonly (string)[]
    }
    readonly body: undefined
    readonly answer: readonly ({
      /** Record number. */
      readonly id: number
      readonly name: string
      readonly identifier: string
      readonly description: string
      /** Record number. */
      readonly project: number
      /** The rule in words. */
      readonly rule: string
      /** Names of columns that hold personal data. */
      readonly pii_columns: readonly (string)[]
      /** Patterns of asset names: exact, <schema>.*, with * and ?. Empty: all assets. */
      readonly applies_to: readonly (string)[]
      /** What a breach is. */
      readonly enforcement: 'strict' | 'warn' | 'off'
      readonly owner: string | null
      /** Words to group records by. */
      readonly tags: readonly (string)[]
      /** Members of your own; kept as they are. */
      readonly metadata: { readonly [name: string]: unknown }
      /** How it came here, or was last changed. */
      readonly origin: 'api' | 'pack' | 'import'
      readonly version: number
      readonly created_at: string
      readonly created_by: string
      readonly updated_at: string
      readonly updated_by: string
      readonly deleted_at?: string
    })[]
  }
  /** Read a policy */
  readonly getPolicy: {
    readonly path: {
      readonly ref: string
    }
    readonly query: {
      readonly project?: number
      readonly include?: 'deleted'
    }
    readonly body: undefined
    readonly answer: {
      /** Record number. */
      readonly id: number
      readonly name: string
      readonly identifier: string
      readonly description: string
      /** Record number. */
      readonly project: number
      /** The rule in words. */
      readonly rule: string
      /** Names of columns that hold personal data. */
      readonly pii_columns: readonly (string)[]
      /** Patterns of asset names: exact, <schema>.*, with * and ?. Empty: all assets. */
      readonly applies_to: readonly (string)[]
      /** What a breach is. */
      readonly enforcement: 'strict' | 'warn' | 'off'
      readonly owner: string | null
      /** Words to group records by. */
      readonly tags: readonly (string)[]
      /** Members of your own; kept as they are. */
      readonly metadata: { readonly [name: string]: unknown }
      /** How it came here, or was last changed. */
      readonly origin: 'api' | 'pack' | 'import'
      readonly version: number
      readonly created_at: string
      readonly created_by: string
      readonly updated_at: string
      readonly updated_by: string
      readonly deleted_at?: string
    }
  }
  /** Replace a policy, or create it under its identifier */
  readonly replacePolicy: {
    readonly path: {
      readonly ref: string
    }
    readonly query: {
      readonly project?: number
    }
    readonly body: {
      /** Record number. */
      readonly project?: number
      /** Your own identifier of the record; made of the name when it is left out. */
      readonly identifier?: string
      /** Display name. */
      readonly name: string
      /** Definition, in words. */
      readonly description?: string | null
      /** The rule in words. */
      readonly rule: string
      /** Names of columns that hold personal data. */
      readonly pii_columns?: readonly (string)[] | null
      /** Patterns of asset names: exact, <schema>.*, with * and ?. Empty: all assets. */
      readonly applies_to?: readonly (string)[] | null
      /** What a breach is. */
      readonly enforcement?: 'strict' | 'warn' | 'off' | null
      /** Contact, usually an e-mail address. */
      readonly owner?: string | null
      /** Words to group records by. */
      readonly tags?: readonly (string)[] | null
      /** Members of your own; kept as they are. */
      readonly metadata?: { readonly [name: string]: unknown } | null
    }
    readonly answer: {
      readonly success: true
      readonly policy: {
        /** Record number. */
        readonly id: number
        readonly name: string
        readonly identifier: string
        readonly description: string
        /** Record number. */
        readonly project: number
        /** The rule in words. */
        readonly rule: string
        /** Names of columns that hold personal data. */
        readonly pii_columns: readonly (string)[]
        /** Patterns of asset names: exact, <schema>.*, with * and ?. Empty: all assets. */
        readonly applies_to: readonly (string)[]
        /** What a breach is. */
        readonly enforcement: 'strict' | 'warn' | 'off'
        readonly owner: string | null
        /** Words to group records by. */
        readonly tags: readonly (string)[]
        /** Members of your own; kept as they are. */
        readonly metadata: { readonly [name: string]: unknown }
        /** How it came here, or was last changed. */
        readonly origin: 'api' | 'pack' | 'import'
        readonly version: number
        readonly created_at: string
        readonly created_by: string
        readonly updated_at: string
        readonly updated_by: string
        readonly deleted_at?: string
      }
      readonly warnings?: readonly ({
        readonly code: string
        readonly detail: string
        readonly pointer?: string
      })[]
    }
  }
  /** Change parts of a policy */
  readonly updatePolicy: {
    readonly path: {
      readonly ref: string
    }
    readonly query: {
      readonly project?: number
    }
    readonly body: {
      /** Your own identifier of the record; made of the name when it is left out. */
      readonly identifier?: string
      /** Display name. */
      readonly name?: string | null
      /** Definition, in words. */
      readonly description?: string | null
      /** The rule in words. */
      readonly rule?: string | null
      /** Names of columns that hold personal data. */
      readonly pii_columns?: readonly (string)[] | null
      /** Patterns of asset names: exact, <schema>.*, with * and ?. Empty: all assets. */
      readonly applies_to?: readonly (string)[] | null
      /** What a breach is. */
      readonly enforcement?: 'strict' | 'warn' | 'off' | null
      /** Contact, usually an e-mail address. */
      readonly owner?: string | null
      /** Words to group records by. */
      readonly tags?: readonly (string)[] | null
      /** Members of your own; kept as they are. */
      readonly metadata?: { readonly [name: string]: unknown } | null
    }
    readonly answer: {
      readonly success: true
      readonly policy: {
        /** Record number. */
        readonly id: number
        readonly name: string
        readonly identifier: string
        readonly description: string
        /** Record number. */
        readonly project: number
        /** The rule in words. */
        readonly rule: string
        /** Names of columns that hold personal data. */
        readonly pii_columns: readonly (string)[]
        /** Patterns of asset names: exact, <schema>.*, with * and ?. Empty: all assets. */
        readonly applies_to: readonly (string)[]
        /** What a breach is. */
        readonly enforcement: 'strict' | 'warn' | 'off'
        readonly owner: string | null
        /** Words to group records by. */
        readonly tags: readonly (string)[]
        /** Members of your own; kept as they are. */
        readonly metadata: { readonly [name: string]: unknown }
        /** How it came here, or was last changed. */
        readonly origin: 'api' | 'pack' | 'import'
        readonly version: number
        readonly created_at: string
        readonly created_by: string
        readonly updated_at: string
        readonly updated_by: string
        readonly deleted_at?: string
      }
      readonly warnings?: readonly ({
        readonly code: string
        readonly detail: string
        readonly pointer?: string
      })[]
    }
  }
  /** Delete a policy */
  readonly deletePolicy: {
    readonly path: {
      readonly ref: string
    }
    readonly query: {
      readonly project?: number
      readonly purge?: boolean
    }
    readonly body: undefined
    readonly answer: {
      readonly success: true
    }
  }
  /** Restore a deleted policy */
  readonly restorePolicy: {
    readonly path: {
      readonly ref: string
    }
    readonly query: {
      readonly project?: number
    }
    readonly body: undefined
    readonly answer: {
      readonly success: true
      readonly policy: {
        /** Record number. */
        readonly id: number
        readonly name: string
        readonly identifier: string
        readonly description: string
        /** Record number. */
        readonly project: number
        /** The rule in words. */
        readonly rule: string
        /** Names of columns that hold personal data. */
        readonly pii_columns: readonly (string)[]
        /** Patterns of asset names: exact, <schema>.*, with * and ?. Empty: all assets. */
        readonly applies_to: readonly (string)[]
        /** What a breach is. */
        readonly enforcement: 'strict' | 'warn' | 'off'
        readonly owner: string | null
        /** Words to group records by. */
        readonly tags: readonly (string)[]
        /** Members of your own; kept as they are. */
        readonly metadata: { readonly [name: string]: unknown }
        /** How it came here, or was last changed. */
        readonly origin: 'api' | 'pack' | 'import'
        readonly version: number
        readonly created_at: string
        readonly created_by: string
        readonly updated_at: string
        readonly updated_by: string
        readonly deleted_at?: string
      }
      readonly warnings?: readonly ({
        readonly code: string
        readonly detail: string
        readonly pointer?: string
      })[]
    }
  }
  /** What changed in a policy */
  readonly listPolicyVersions: {
    readonly path: {
      readonly ref: string
    }
    readonly query: {
      readonly project?: number
    }
    readonly body: undefined
    readonly answer: readonly ({
      readonly version: number
      /** create, update, delete or restore. */
      readonly action: string
      readonly updated_at: string
      readonly updated_by: string
      readonly changes: readonly ({
        readonly field: string
        readonly old: unknown
        readonly new: unknown
      })[]
    })[]
  }
  /** A policy as it was */
  readonly getPolicyVersion: {
    readonly path: {
      readonly ref: string
      readonly version: number
    }
    readonly query: {
      readonly project?: number
    }
    readonly body: undefined
    readonly answer: {
      /** Record number. */
      readonly id: number
      readonly name: string
      readonly identifier: string
      readonly description: string
      /** Record number. */
      readonly project: number
      /** The rule in words. */
      readonly rule: string
      /** Names of columns that hold personal data. */
      readonly pii_columns: readonly (string)[]
      /** Patterns of asset names: exact, <schema>.*, with * and ?. Empty: all assets. */
      readonly applies_to: readonly (string)[]
      /** What a breach is. */
      readonly enforcement: 'strict' | 'warn' | 'off'
      readonly owner: string | null
      /** Words to group records by. */
      readonly tags: readonly (string)[]
      /** Members of your own; kept as they are. */
      readonly metadata: { readonly [name: string]: unknown }
      /** How it came here, or was last changed. */
      readonly origin: 'api' | 'pack' | 'import'
      readonly version: number
      readonly created_at: string
      readonly created_by: string
      readonly updated_at: string
      readonly updated_by: string
      readonly deleted_at?: string
    }
  }
  /** Create a link */
  readonly createLink: {
    readonly path: Nothing
    readonly query: Nothing
    readonly body: {
      /** Record number of the term. */
      readonly term: number
      /** Record number of the asset. */
      readonly asset: number
      /** Column of the asset; the whole asset without it. */
      readonly column?: string | null
      /** What the column is; a key needs a column. */
      readonly role?: 'primary_key' | 'foreign_key' | 'attribute' | null
    }
    readonly answer: {
      readonly success: true
      readonly link: {
        /** Record number. */
        readonly id: number
        /** Record number. */
        readonly project: number
        /** Record number of the term. */
        readonly term: number
        /** Record number of the asset. */
        readonly asset: number
        readonly column: string | null
        /** What the column is; a key needs a column. */
        readonly role: 'primary_key' | 'foreign_key' | 'attribute'
        readonly term_identifier: string
        readonly term_name: string
        readonly asset_name: string
        /** How it came here, or was last changed. */
        readonly origin: 'api' | 'pack' | 'import'
        readonly version: number
        readonly created_at: string
        readonly created_by: string
        readonly updated_at: string
        readonly updated_by: string
        readonly deleted_at?: string
      }
      readonly warnings?: readonly ({
        readonly code: string
        readonly detail: string
        readonly pointer?: string
      })[]
    }
  }
  /** List links */
  readonly listLinks: {
    readonly path: Nothing
    readonly query: {
      readonly project?: number
      readonly q?: string
      readonly term?: number
      readonly asset?: number
      readonly column?: string
      readonly role?: readonly ('primary_key' | 'foreign_key' | 'attribute')[]
      readonly updated_since?: string
      readonly include?: 'deleted'
      readonly sort?: string
      readonly limit?: number
      readonly cursor?: string
      readonly fields?: readonly (string)[]
    }
    readonly body: undefined
    readonly answer: readonly ({
      /** Record number. */
      readonly id: number
      /** Record number. */
      readonly project: number
      /** Record number of the term. */
      readonly term: number
      /** Record number of the asset. */
      readonly asset: number
      readonly column: string | null
      /** What the column is; a key needs a column. */
      readonly role: 'primary_key' | 'foreign_key' | 'attribute'
      readonly term_identifier: string
      readonly term_name: string
      readonly asset_name: string
      /** How it came here, or was last changed. */
      readonly origin: 'api' | 'pack' | 'import'
      readonly version: number
      readonly created_at: string
      readonly created_by: string
      readonly updated_at: string
      readonly updated_by: string
      readonly deleted_at?: string
    })[]
  }
  /** Read a link */
  readonly getLink: {
    readonly path: {
      readonly ref: string
    }
    readonly query: {
      readonly project?: number
      readonly include?: 'deleted'
    }
    readonly body: undefined
    readonly answer: {
      /** Record number. */
      readonly id: number
      /** Record number. */
      readonly project: number
      /** Record number of the term. */
      readonly term: number
      /** Record number of the asset. */
      readonly asset: number
      readonly column: string | null
      /** What the column is; a key needs a column. */
      readonly role: 'primary_key' | 'foreign_key' | 'attribute'
      readonly term_identifier: string
      readonly term_name: string
      readonly asset_name: string
      /** How it came here, or was last changed. */
      readonly origin: 'api' | 'pack' | 'import'
      readonly version: number
      readonly created_at: string
      readonly created_by: string
      readonly updated_at: string
      readonly updated_by: string
      readonly deleted_at?: string
    }
  }
  /** Replace a link */
  readonly replaceLink: {
    readonly path: {
      readonly ref: string
    }
    readonly query: {
      readonly project?: number
    }
    readonly body: {
      /** Record number of the term. */
      readonly term: number
      /** Record number of the asset. */
      readonly asset: number
      /** Column of the asset; the whole asset without it. */
      readonly column?: string | null
      /** What the column is; a key needs a column. */
      readonly role?: 'primary_key' | 'foreign_key' | 'attribute' | null
    }
    readonly answer: {
      readonly success: true
      readonly link: {
        /** Record number. */
        readonly id: number
        /** Record number. */
        readonly project: number
        /** Record number of the term. */
        readonly term: number
        /** Record number of the asset. */
        readonly asset: number
        readonly column: string | null
        /** What the column is; a key needs a column. */
        readonly role: 'primary_key' | 'foreign_key' | 'attribute'
        readonly term_identifier: string
        readonly term_name: string
        readonly asset_name: string
        /** How it came here, or was last changed. */
        readonly origin: 'api' | 'pack' | 'import'
        readonly version: number
        readonly created_at: string
        readonly created_by: string
        readonly updated_at: string
        readonly updated_by: string
        readonly deleted_at?: string
      }
      readonly warnings?: readonly ({
        readonly code: string
        readonly detail: string
        readonly pointer?: string
      })[]
    }
  }
  /** Change parts of a link */
  readonly updateLink: {
    readonly path: {
      readonly ref: string
    }
    readonly query: {
      readonly project?: number
    }
    readonly body: {
      /** Record number of the term. */
      readonly term?: number | null
      /** Record number of the asset. */
      readonly asset?: number | null
      /** Column of the asset; the whole asset without it. */
      readonly column?: string | null
      /** What the column is; a key needs a column. */
      readonly role?: 'primary_key' | 'foreign_key' | 'attribute' | null
    }
    readonly answer: {
      readonly success: true
      readonly link: {
        /** Record number. */
        readonly id: number
        /** Record number. */
        readonly project: number
        /** Record number of the term. */
        readonly term: number
        /** Record number of the asset. */
        readonly asset: number
        readonly column: string | null
        /** What the column is; a key needs a column. */
        readonly role: 'primary_key' | 'foreign_key' | 'attribute'
        readonly term_identifier: string
        readonly term_name: string
        readonly asset_name: string
        /** How it came here, or was last changed. */
        readonly origin: 'api' | 'pack' | 'import'
        readonly version: number
        readonly created_at: string
        readonly created_by: string
        readonly updated_at: string
        readonly updated_by: string
        readonly deleted_at?: string
      }
      readonly warnings?: readonly ({
        readonly code: string
        readonly detail: string
        readonly pointer?: string
      })[]
    }
  }
  /** Delete a link */
  readonly deleteLink: {
    readonly path: {
      readonly ref: string
    }
    readonly query: {
      readonly project?: number
      readonly purge?: boolean
    }
    readonly body: undefined
    readonly answer: {
      readonly success: true
    }
  }
  /** Restore a deleted link */
  readonly restoreLink: {
    readonly path: {
      readonly ref: string
    }
    readonly query: {
      readonly project?: number
    }
    readonly body: undefined
    readonly answer: {
      readonly success: true
      readonly link: {
        /** Record number. */
        readonly id: number
        /** Record number. */
        readonly project: number
        /** Record number of the term. */
        readonly term: number
        /** Record number of the asset. */
        readonly asset: number
        readonly column: string | null
        /** What the column is; a key needs a column. */
        readonly role: 'primary_key' | 'foreign_key' | 'attribute'
        readonly term_identifier: string
        readonly term_name: string
        readonly asset_name: string
        /** How it came here, or was last changed. */
        readonly origin: 'api' | 'pack' | 'import'
        readonly version: number
        readonly created_at: string
        readonly created_by: string
        readonly updated_at: string
        readonly updated_by: string
        readonly deleted_at?: string
      }
      readonly warnings?: readonly ({
        readonly code: string
        readonly detail: string
        readonly pointer?: string
      })[]
    }
  }
  /** What changed in a link */
  readonly listLinkVersions: {
    readonly path: {
      readonly ref: string
    }
    readonly query: {
      readonly project?: number
    }
    readonly body: undefined
    readonly answer: readonly ({
      readonly version: number
      /** create, update, delete or restore. */
      readonly action: string
      readonly updated_at: string
      readonly updated_by: string
      readonly changes: readonly ({
        readonly field: string
        readonly old: unknown
        readonly new: unknown
      })[]
    })[]
  }
  /** A link as it was */
  readonly getLinkVersion: {
    readonly path: {
      readonly ref: string
      readonly version: number
    }
    readonly query: {
      readonly project?: number
    }
    readonly body: undefined
    readonly answer: {
      /** Record number. */
      readonly id: number
      /** Record number. */
      readonly project: number
      /** Record number of the term. */
      readonly term: number
      /** Record number of the asset. */
      readonly asset: number
      readonly column: string | null
      /** What the column is; a key needs a column. */
      readonly role: 'primary_key' | 'foreign_key' | 'attribute'
      readonly term_identifier: string
      readonly term_name: string
      readonly asset_name: string
      /** How it came here, or was last changed. */
      readonly origin: 'api' | 'pack' | 'import'
      readonly version: number
      readonly created_at: string
      readonly created_by: string
      readonly updated_at: string
      readonly updated_by: string
      readonly deleted_at?: string
    }
  }
  /** Make a token with some of the scopes and projects of the own one. */
  readonly createToken: {
    readonly path: Nothing
    readonly query: Nothing
    readonly body: NewToken
    readonly answer: {
      readonly success: true
      readonly token: Token
      /** The token itself. It is shown this once; only its hash is kept. */
      readonly secret: string
    }
  }
  /** List the tokens whose projects the own token sees, oldest first. */
  readonly listTokens: {
    readonly path: Nothing
    readonly query: Nothing
    readonly body: undefined
    readonly answer: readonly (Token)[]
  }
  /** What the own token is and may do. */
  readonly getOwnToken: {
    readonly path: Nothing
    readonly query: Nothing
    readonly body: undefined
    readonly answer: {
      readonly success: true
      readonly token: Token
    }
  }
  /** One token. */
  readonly getToken: {
    readonly path: {
      readonly id: number
    }
    readonly query: Nothing
    readonly body: undefined
    readonly answer: {
      readonly success: true
      readonly token: Token
    }
  }
  /** End a token now. Its own token may end itself. */
  readonly revokeToken: {
    readonly path: {
      readonly id: number
    }
    readonly query: Nothing
    readonly body: undefined
    readonly answer: {
      readonly success: true
      readonly token: Token
    }
  }
  /** Replace a token by a new one with the same rights and lifetime. */
  readonly rotateToken: {
    readonly path: {
      readonly id: number
    }
    readonly query: Nothing
    readonly body: {
      /** So long the old token stays valid; 0 when left out. */
      readonly grace_seconds?: number
    }
    readonly answer: {
      readonly success: true
      readonly token: Token
      /** The token itself. It is shown this once; only its hash is kept. */
      readonly secret: string
    }
  }
  /** Who did what, newest first, in the projects that the token sees. */
  readonly listAudit: {
    readonly path: Nothing
    readonly query: {
      readonly project?: number
      readonly actor?: string
      readonly action?: string
      readonly target?: string
      readonly since?: string
      readonly before?: number
      readonly limit?: number
    }
    readonly body: undefined
    readonly answer: readonly (AuditEntry)[]
  }
  /** The process answers. */
  readonly getHealth: {
    readonly path: Nothing
    readonly query: Nothing
    readonly body: undefined
    readonly answer: {
      readonly status: 'ok'
      readonly version: string
    }
  }
  /** The service takes requests: the database answers, and it is not about to stop. */
  readonly getReadiness: {
    readonly path: Nothing
    readonly query: Nothing
    readonly body: undefined
    readonly answer: {
      readonly status: 'ready'
    }
  }
  /** Numbers for Prometheus. */
  readonly getMetrics: {
    readonly path: Nothing
    readonly query: Nothing
    readonly body: undefined
    readonly answer: string
  }
  /** This description, as OpenAPI 3.1. */
  readonly getOpenApi: {
    readonly path: Nothing
    readonly query: Nothing
    readonly body: undefined
    readonly answer: { readonly [name: string]: unknown }
  }
  /** This description, as a page. */
  readonly getDocs: {
    readonly path: Nothing
    readonly query: Nothing
    readonly body: undefined
    readonly answer: string
  }
}

export const operations = {
  createTerm: { method: 'POST', path: '/api/svc/glossary/terms' },
  listTerms: { method: 'GET', path: '/api/svc/glossary/terms' },
  getTerm: { method: 'GET', path: '/api/svc/glossary/terms/{ref}' },
  replaceTerm: { method: 'PUT', path: '/api/svc/glossary/terms/{ref}' },
  updateTerm: { method: 'PATCH', path: '/api/svc/glossary/terms/{ref}' },
  deleteTerm: { method: 'DELETE', path: '/api/svc/glossary/terms/{ref}' },
  restoreTerm: { method: 'POST', path: '/api/svc/glossary/terms/{ref}/restore' },
  listTermVersions: { method: 'GET', path: '/api/svc/glossary/terms/{ref}/versions' },
  getTermVersion: { method: 'GET', path: '/api/svc/glossary/terms/{ref}/versions/{version}' },
  createMetric: { method: 'POST', path: '/api/svc/glossary/metrics' },
  listMetrics: { method: 'GET', path: '/api/svc/glossary/metrics' },
  getMetric: { method: 'GET', path: '/api/svc/glossary/metrics/{ref}' },
  replaceMetric: { method: 'PUT', path: '/api/svc/glossary/metrics/{ref}' },
  updateMetric: { method: 'PATCH', path: '/api/svc/glossary/metrics/{ref}' },
  deleteMetric: { method: 'DELETE', path: '/api/svc/glossary/metrics/{ref}' },
  restoreMetric: { method: 'POST', path: '/api/svc/glossary/metrics/{ref}/restore' },
  listMetricVersions: { method: 'GET', path: '/api/svc/glossary/metrics/{ref}/versions' },
  getMetricVersion: { method: 'GET', path: '/api/svc/glossary/metrics/{ref}/versions/{version}' },
  createDimension: { method: 'POST', path: '/api/svc/glossary/dimensions' },
  listDimensions: { method: 'GET', path: '/api/svc/glossary/dimensions' },
  getDimension: { method: 'GET', path: '/api/svc/glossary/dimensions/{ref}' },
  replaceDimension: { method: 'PUT', path: '/api/svc/glossary/dimensions/{ref}' },
  updateDimension: { method: 'PATCH', path: '/api/svc/glossary/dimensions/{ref}' },
  deleteDimension: { method: 'DELETE', path: '/api/svc/glossary/dimensions/{ref}' },
  restoreDimension: { method: 'POST', path: '/api/svc/glossary/dimensions/{ref}/restore' },
  listDimensionVersions: { method: 'GET', path: '/api/svc/glossary/dimensions/{ref}/versions' },
  getDimensionVersion: { method: 'GET', path: '/api/svc/glossary/dimensions/{ref}/versions/{version}' },
  createPolicy: { method: 'POST', path: '/api/svc/glossary/policies' },
  listPolicies: { method: 'GET', path: '/api/svc/glossary/policies' },
  getPolicy: { method: 'GET', path: '/api/svc/glossary/policies/{ref}' },
  replacePolicy: { method: 'PUT', path: '/api/svc/glossary/policies/{ref}' },
  updatePolicy: { method: 'PATCH', path: '/api/svc/glossary/policies/{ref}' },
  deletePolicy: { method: 'DELETE', path: '/api/svc/glossary/policies/{ref}' },
  restorePolicy: { method: 'POST', path: '/api/svc/glossary/policies/{ref}/restore' },
  listPolicyVersions: { method: 'GET', path: '/api/svc/glossary/policies/{ref}/versions' },
  getPolicyVersion: { method: 'GET', path: '/api/svc/glossary/policies/{ref}/versions/{version}' },
  createLink: { method: 'POST', path: '/api/svc/glossary/links' },
  listLinks: { method: 'GET', path: '/api/svc/glossary/links' },
  getLink: { method: 'GET', path: '/api/svc/glossary/links/{ref}' },
  replaceLink: { method: 'PUT', path: '/api/svc/glossary/links/{ref}' },
  updateLink: { method: 'PATCH', path: '/api/svc/glossary/links/{ref}' },
  deleteLink: { method: 'DELETE', path: '/api/svc/glossary/links/{ref}' },
  restoreLink: { method: 'POST', path: '/api/svc/glossary/links/{ref}/restore' },
  listLinkVersions: { method: 'GET', path: '/api/svc/glossary/links/{ref}/versions' },
  getLinkVersion: { method: 'GET', path: '/api/svc/glossary/links/{ref}/versions/{version}' },
  createToken: { method: 'POST', path: '/api/svc/tokens' },
  listTokens: { method: 'GET', path: '/api/svc/tokens' },
  getOwnToken: { method: 'GET', path: '/api/svc/tokens/self' },
  getToken: { method: 'GET', path: '/api/svc/tokens/{id}' },
  revokeToken: { method: 'DELETE', path: '/api/svc/tokens/{id}' },
  rotateToken: { method: 'POST', path: '/api/svc/tokens/{id}/rotate' },
  listAudit: { method: 'GET', path: '/api/svc/audit' },
  getHealth: { method: 'GET', path: '/healthz' },
  getReadiness: { method: 'GET', path: '/readyz' },
  getMetrics: { method: 'GET', path: '/metrics' },
  getOpenApi: { method: 'GET', path: '/openapi.json' },
  getDocs: { method: 'GET', path: '/docs' },
} as const satisfies Readonly<Record<keyof Operations, { readonly method: string; readonly path: string }>>
