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
  readonly scopes: readonly ('glossary:read' | 'glossary:write' | 'metadata:read' | 'metadata:upload' | 'projects:admin' | 'tokens:admin' | 'audit:read')[]
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
  readonly code: 'malformed_json' | 'invalid_cursor' | 'invalid_header' | 'unauthorized' | 'forbidden' | 'not_found' | 'method_not_allowed' | 'timeout' | 'already_exists' | 'in_use' | 'ended' | 'project_mismatch' | 'request_in_progress' | 'version_mismatch' | 'too_large' | 'uri_too_long' | 'unsupported_media_type' | 'invalid' | 'idempotency_key_reused' | 'rate_limited' | 'headers_too_large' | 'internal' | 'unavailable' | 'storage_full'
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
  readonly scopes: readonly ('glossary:read' | 'glossary:write' | 'metadata:read' | 'metadata:upload' | 'projects:admin' | 'tokens:admin' | 'audit:read')[]
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
  /** Create or replace many terms */
  readonly bulkTerms: {
    readonly path: Nothing
    readonly query: Nothing
    readonly body: {
      /** Record number. */
      readonly project: number
      readonly items: readonly ({
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
      })[]
      readonly mode?: 'all_or_nothing' | 'best_effort'
      readonly dry_run?: boolean
    }
    readonly answer: {
      readonly success: true
      readonly dry_run: boolean
      readonly summary: {
        readonly received: number
        readonly created: number
        readonly updated: number
        readonly unchanged: number
        readonly failed: number
      }
      readonly results: readonly ({
        readonly index: number
        readonly status: 'created' | 'updated' | 'unchanged' | 'kept' | 'failed'
        /** Record number. */
        readonly id?: number
        readonly identifier?: string
        readonly error?: {
          readonly code: string
          readonly detail: string
          readonly errors: readonly ({
            readonly pointer: string
            readonly code: string
            readonly detail: string
          })[]
        }
      })[]
    }
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
  /** Create or replace many metrics */
  readonly bulkMetrics: {
    readonly path: Nothing
    readonly query: Nothing
    readonly body: {
      /** Record number. */
      readonly project: number
      readonly items: readonly ({
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
      })[]
      readonly mode?: 'all_or_nothing' | 'best_effort'
      readonly dry_run?: boolean
    }
    readonly answer: {
      readonly success: true
      readonly dry_run: boolean
      readonly summary: {
        readonly received: number
        readonly created: number
        readonly updated: number
        readonly unchanged: number
        readonly failed: number
      }
      readonly results: readonly ({
        readonly index: number
        readonly status: 'created' | 'updated' | 'unchanged' | 'kept' | 'failed'
        /** Record number. */
        readonly id?: number
        readonly identifier?: string
        readonly error?: {
          readonly code: string
          readonly detail: string
          readonly errors: readonly ({
            readonly pointer: string
            readonly code: string
            readonly detail: string
          })[]
        }
      })[]
    }
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
  /** Create or replace many dimensions */
  readonly bulkDimensions: {
    readonly path: Nothing
    readonly query: Nothing
    readonly body: {
      /** Record number. */
      readonly project: number
      readonly items: readonly ({
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
      })[]
      readonly mode?: 'all_or_nothing' | 'best_effort'
      readonly dry_run?: boolean
    }
    readonly answer: {
      readonly success: true
      readonly dry_run: boolean
      readonly summary: {
        readonly received: number
        readonly created: number
        readonly updated: number
        readonly unchanged: number
        readonly failed: number
      }
      readonly results: readonly ({
        readonly index: number
        readonly status: 'created' | 'updated' | 'unchanged' | 'kept' | 'failed'
        /** Record number. */
        readonly id?: number
        readonly identifier?: string
        readonly error?: {
          readonly code: string
          readonly detail: string
          readonly errors: readonly ({
            readonly pointer: string
            readonly code: string
            readonly detail: string
          })[]
        }
      })[]
    }
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
  /** Create or replace many policies */
  readonly bulkPolicies: {
    readonly path: Nothing
    readonly query: Nothing
    readonly body: {
      /** Record number. */
      readonly project: number
      readonly items: readonly ({
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
      })[]
      readonly mode?: 'all_or_nothing' | 'best_effort'
      readonly dry_run?: boolean
    }
    readonly answer: {
      readonly success: true
      readonly dry_run: boolean
      readonly summary: {
        readonly received: number
        readonly created: number
        readonly updated: number
        readonly unchanged: number
        readonly failed: number
      }
      readonly results: readonly ({
        readonly index: number
        readonly status: 'created' | 'updated' | 'unchanged' | 'kept' | 'failed'
        /** Record number. */
        readonly id?: number
        readonly identifier?: string
        readonly error?: {
          readonly code: string
          readonly detail: string
          readonly errors: readonly ({
            readonly pointer: string
            readonly code: string
            readonly detail: string
          })[]
        }
      })[]
    }
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
  /** Create or replace many links */
  readonly bulkLinks: {
    readonly path: Nothing
    readonly query: Nothing
    readonly body: {
      /** Record number. */
      readonly project: number
      readonly items: readonly ({
        /** Record number of the term. */
        readonly term: number
        /** Record number of the asset. */
        readonly asset: number
        /** Column of the asset; the whole asset without it. */
        readonly column?: string | null
        /** What the column is; a key needs a column. */
        readonly role?: 'primary_key' | 'foreign_key' | 'attribute' | null
      })[]
      readonly mode?: 'all_or_nothing' | 'best_effort'
      readonly dry_run?: boolean
    }
    readonly answer: {
      readonly success: true
      readonly dry_run: boolean
      readonly summary: {
        readonly received: number
        readonly created: number
        readonly updated: number
        readonly unchanged: number
        readonly failed: number
      }
      readonly results: readonly ({
        readonly index: number
        readonly status: 'created' | 'updated' | 'unchanged' | 'kept' | 'failed'
        /** Record number. */
        readonly id?: number
        readonly identifier?: string
        readonly error?: {
          readonly code: string
          readonly detail: string
          readonly errors: readonly ({
            readonly pointer: string
            readonly code: string
            readonly detail: string
          })[]
        }
      })[]
    }
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
  /** Export the glossary of a project */
  readonly exportGlossary: {
    readonly path: {
      readonly project_id: number
    }
    readonly query: {
      readonly format?: 'json' | 'csv'
    }
    readonly body: undefined
    readonly answer: {
      readonly project: {
        /** Record number. */
        readonly id: number
        readonly name: string
      }
      readonly terms: readonly ({
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
        readonly links: readonly ({
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
      })[]
      readonly metrics: readonly ({
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
      readonly dimensions: readonly ({
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
      readonly policies: readonly ({
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
  }
  /** Import a glossary */
  readonly importGlossary: {
    readonly path: {
      readonly project_id: number
    }
    readonly query: {
      readonly dry_run?: boolean
      readonly mode?: 'all_or_nothing' | 'best_effort'
    }
    readonly body: {
      readonly terms?: readonly ({
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
      })[]
      readonly metrics?: readonly ({
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
      })[]
      readonly dimensions?: readonly ({
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
      })[]
      readonly policies?: readonly ({
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
      })[]
    }
    readonly answer: {
      readonly success: true
      readonly dry_run: boolean
      readonly summary: {
        readonly received: number
        readonly created: number
        readonly updated: number
        readonly unchanged: number
        readonly failed: number
      }
      readonly results: readonly ({
        readonly index: number
        readonly status: 'created' | 'updated' | 'unchanged' | 'kept' | 'failed'
        /** Record number. */
        readonly id?: number
        readonly identifier?: string
        readonly error?: {
          readonly code: string
          readonly detail: string
          readonly errors: readonly ({
            readonly pointer: string
            readonly code: string
            readonly detail: string
          })[]
        }
      })[]
      readonly skipped: readonly ({
        readonly pointer: string
        readonly detail: string
      })[]
    }
  }
  /** Search terms, metrics, dimensions, policies and assets */
  readonly search: {
    readonly path: Nothing
    readonly query: {
      readonly q: string
      readonly kind?: readonly ('term' | 'metric' | 'dimension' | 'policy' | 'asset')[]
      readonly project?: number
      readonly limit?: number
    }
    readonly body: undefined
    readonly answer: readonly ({
      readonly kind: 'term' | 'metric' | 'dimension' | 'policy' | 'asset'
      /** Record number. */
      readonly id: number
      readonly identifier: string
      readonly name: string
      readonly description: string
      /** Record number. */
      readonly project: number
      readonly href: string
    })[]
  }
  /** List the projects that the token sees */
  readonly listProjects: {
    readonly path: Nothing
    readonly query: {
      readonly name?: string
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
      readonly description: string
      /** The id that its uploads say; null before the first. */
      readonly identifier: string | null
      /** Grows with every change of the project. */
      readonly revision: number
      readonly version: number
      readonly created_at: string
      readonly created_by: string
      readonly updated_at: string
      readonly updated_by: string
      readonly deleted_at?: string
    })[]
  }
  /** Create a project */
  readonly createProject: {
    readonly path: Nothing
    readonly query: Nothing
    readonly body: {
      readonly name: string
      readonly description?: string
    }
    readonly answer: {
      readonly success: true
      readonly project: {
        /** Record number. */
        readonly id: number
        readonly name: string
        readonly description: string
        /** The id that its uploads say; null before the first. */
        readonly identifier: string | null
        /** Grows with every change of the project. */
        readonly revision: number
        readonly version: number
        readonly created_at: string
        readonly created_by: string
        readonly updated_at: string
        readonly updated_by: string
        readonly deleted_at?: string
      }
    }
  }
  /** Read a project */
  readonly getProject: {
    readonly path: {
      readonly project_id: number
    }
    readonly query: Nothing
    readonly body: undefined
    readonly answer: {
      /** Record number. */
      readonly id: number
      readonly name: string
      readonly description: string
      /** The id that its uploads say; null before the first. */
      readonly identifier: string | null
      /** Grows with every change of the project. */
      readonly revision: number
      readonly version: number
      readonly created_at: string
      readonly created_by: string
      readonly updated_at: string
      readonly updated_by: string
      readonly deleted_at?: string
    }
  }
  /** Rename or describe a project */
  readonly updateProject: {
    readonly path: {
      readonly project_id: number
    }
    readonly query: Nothing
    readonly body: {
      readonly name?: string
      readonly description?: string | null
    }
    readonly answer: {
      readonly success: true
      readonly project: {
        /** Record number. */
        readonly id: number
        readonly name: string
        readonly description: string
        /** The id that its uploads say; null before the first. */
        readonly identifier: string | null
        /** Grows with every change of the project. */
        readonly revision: number
        readonly version: number
        readonly created_at: string
        readonly created_by: string
        readonly updated_at: string
        readonly updated_by: string
        readonly deleted_at?: string
      }
    }
  }
  /** Delete a project: all of it is out of sight, and can be restored */
  readonly deleteProject: {
    readonly path: {
      readonly project_id: number
    }
    readonly query: Nothing
    readonly body: undefined
    readonly answer: {
      readonly success: true
    }
  }
  /** Restore a deleted project */
  readonly restoreProject: {
    readonly path: {
      readonly project_id: number
    }
    readonly query: Nothing
    readonly body: undefined
    readonly answer: {
      readonly success: true
      readonly project: {
        /** Record number. */
        readonly id: number
        readonly name: string
        readonly description: string
        /** The id that its uploads say; null before the first. */
        readonly identifier: string | null
        /** Grows with every change of the project. */
        readonly revision: number
        readonly version: number
        readonly created_at: string
        readonly created_by: string
        readonly updated_at: string
        readonly updated_by: string
        readonly deleted_at?: string
      }
    }
  }
  /** Upload a context pack */
  readonly uploadContextPack: {
    readonly path: {
      readonly project: number
    }
    readonly query: {
      readonly source?: string
      readonly dry_run?: boolean
      readonly rebind?: boolean
      readonly glossary?: 'keep' | 'overwrite'
    }
    readonly body: {
      readonly context_pack: {
        readonly version?: number
        readonly generated_at?: string
        readonly environment?: string
        readonly scope?: 'full' | 'partial'
        readonly project: {
          readonly id?: string
          readonly name?: string
          readonly warehouse?: string | null
          readonly default_schema?: string | null
        }
        readonly assets: readonly ({
          readonly id?: string
          readonly name?: string
          readonly path?: string
          readonly kind?: 'source' | 'model' | 'publish'
          readonly description?: string | null
          readonly owner?: string | null
          readonly tags?: readonly (string)[]
          readonly definition_hash?: string | null
          readonly text_hash?: string | null
          readonly active_hash?: string | null
          readonly status?: 'deployed' | 'Failed' | null
          readonly last_run?: string | null
          readonly seconds?: number | null
          readonly rows?: number | null
          readonly freshness?: { readonly [name: string]: unknown } | null
          readonly blocks?: { readonly [name: string]: unknown }
          readonly schema?: {
            readonly columns?: readonly ({
              readonly name: string
              readonly type?: string | null
              readonly nullable?: boolean
              readonly description?: string | null
              readonly pii?: boolean
              readonly masked?: boolean
              readonly term?: { readonly [name: string]: unknown }
            })[]
          }
          readonly columns?: readonly ({
            readonly name: string
            readonly type?: string | null
            readonly nullable?: boolean
            readonly description?: string | null
            readonly pii?: boolean
            readonly masked?: boolean
            readonly term?: { readonly [name: string]: unknown }
          })[]
          readonly tests?: readonly ({
            readonly name: string
            readonly status?: 'pass' | 'fail'
            readonly execution_time?: number
            readonly kind?: string
            readonly type?: string
            readonly column?: string | null
            readonly severity?: 'error' | 'warn'
            readonly definition?: unknown
          })[]
          readonly summary?: {
            readonly total: number
            readonly passed: number
            readonly failed: number
          }
          readonly raw_sql?: string
          readonly compiled_sql?: string
          readonly upstream?: readonly (string)[]
          readonly downstream?: readonly (string)[]
        })[]
        readonly lineage?: readonly (unknown)[]
        /** Entries, or the document of svc glossary export. */
        readonly glossary?: readonly (unknown)[] | { readonly [name: string]: unknown }
        readonly terms?: readonly ({ readonly [name: string]: unknown })[]
        readonly metrics?: readonly ({ readonly [name: string]: unknown })[]
        readonly dimensions?: readonly ({ readonly [name: string]: unknown })[]
        readonly policies?: readonly ({ readonly [name: string]: unknown })[]
        readonly links?: readonly ({ readonly [name: string]: unknown })[]
        readonly schemas?: { readonly [name: string]: {
          readonly columns?: readonly ({
            readonly name: string
            readonly type?: string | null
            readonly nullable?: boolean
            readonly description?: string | null
            readonly pii?: boolean
            readonly masked?: boolean
            readonly term?: { readonly [name: string]: unknown }
          })[]
        } }
        readonly tests?: readonly ({
          readonly asset: string
          readonly name: string
          readonly kind?: string
          readonly type?: string
          readonly column?: string | null
          readonly severity?: 'error' | 'warn'
          readonly definition?: unknown
        })[]
        readonly test_results?: { readonly [name: string]: {
          readonly asset_name: string
          readonly timestamp: string
          readonly tests: readonly ({
            readonly name: string
            readonly status: 'pass' | 'fail'
            readonly execution_time: number
          })[]
          readonly summary?: {
            readonly total: number
            readonly passed: number
            readonly failed: number
          }
        } }
        readonly versions?: { readonly [name: string]: readonly ({
          readonly hash: string
          readonly deployed_at: string
          readonly status?: 'deployed' | 'Failed'
          readonly run_id?: string | null
        })[] }
        readonly history?: readonly ({ readonly [name: string]: unknown })[]
        readonly exposures?: readonly ({
          readonly name: string
          readonly asset: string
          readonly type?: string
          readonly url?: string | null
          readonly owner?: string | null
          readonly description?: string | null
        })[]
        readonly git?: {
          readonly commit?: string
          readonly branch?: string
          readonly dirty?: boolean
        } | null
        readonly excluded_columns?: number
        readonly active_assets?: number
      }
      readonly source?: string
    } | {
      readonly version?: number
      readonly generated_at?: string
      readonly environment?: string
      readonly scope?: 'full' | 'partial'
      readonly project: {
        readonly id?: string
        readonly name?: string
        readonly warehouse?: string | null
        readonly default_schema?: string | null
      }
      readonly assets: readonly ({
        readonly id?: string
        readonly name?: string
        readonly path?: string
        readonly kind?: 'source' | 'model' | 'publish'
        readonly description?: string | null
        readonly owner?: string | null
        readonly tags?: readonly (string)[]
        readonly definition_hash?: string | null
        readonly text_hash?: string | null
        readonly active_hash?: string | null
        readonly status?: 'deployed' | 'Failed' | null
        readonly last_run?: string | null
        readonly seconds?: number | null
        readonly rows?: number | null
        readonly freshness?: { readonly [name: string]: unknown } | null
        readonly blocks?: { readonly [name: string]: unknown }
        readonly schema?: {
          readonly columns?: readonly ({
            readonly name: string
            readonly type?: string | null
            readonly nullable?: boolean
            readonly description?: string | null
            readonly pii?: boolean
            readonly masked?: boolean
            readonly term?: { readonly [name: string]: unknown }
          })[]
        }
        readonly columns?: readonly ({
          readonly name: string
          readonly type?: string | null
          readonly nullable?: boolean
          readonly description?: string | null
          readonly pii?: boolean
          readonly masked?: boolean
          readonly term?: { readonly [name: string]: unknown }
        })[]
        readonly tests?: readonly ({
          readonly name: string
          readonly status?: 'pass' | 'fail'
          readonly execution_time?: number
          readonly kind?: string
          readonly type?: string
          readonly column?: string | null
          readonly severity?: 'error' | 'warn'
          readonly definition?: unknown
        })[]
        readonly summary?: {
          readonly total: number
          readonly passed: number
          readonly failed: number
        }
        readonly raw_sql?: string
        readonly compiled_sql?: string
        readonly upstream?: readonly (string)[]
        readonly downstream?: readonly (string)[]
      })[]
      readonly lineage?: readonly (unknown)[]
      /** Entries, or the document of svc glossary export. */
      readonly glossary?: readonly (unknown)[] | { readonly [name: string]: unknown }
      readonly terms?: readonly ({ readonly [name: string]: unknown })[]
      readonly metrics?: readonly ({ readonly [name: string]: unknown })[]
      readonly dimensions?: readonly ({ readonly [name: string]: unknown })[]
      readonly policies?: readonly ({ readonly [name: string]: unknown })[]
      readonly links?: readonly ({ readonly [name: string]: unknown })[]
      readonly schemas?: { readonly [name: string]: {
        readonly columns?: readonly ({
          readonly name: string
          readonly type?: string | null
          readonly nullable?: boolean
          readonly description?: string | null
          readonly pii?: boolean
          readonly masked?: boolean
          readonly term?: { readonly [name: string]: unknown }
        })[]
      } }
      readonly tests?: readonly ({
        readonly asset: string
        readonly name: string
        readonly kind?: string
        readonly type?: string
        readonly column?: string | null
        readonly severity?: 'error' | 'warn'
        readonly definition?: unknown
      })[]
      readonly test_results?: { readonly [name: string]: {
        readonly asset_name: string
        readonly timestamp: string
        readonly tests: readonly ({
          readonly name: string
          readonly status: 'pass' | 'fail'
          readonly execution_time: number
        })[]
        readonly summary?: {
          readonly total: number
          readonly passed: number
          readonly failed: number
        }
      } }
      readonly versions?: { readonly [name: string]: readonly ({
        readonly hash: string
        readonly deployed_at: string
        readonly status?: 'deployed' | 'Failed'
        readonly run_id?: string | null
      })[] }
      readonly history?: readonly ({ readonly [name: string]: unknown })[]
      readonly exposures?: readonly ({
        readonly name: string
        readonly asset: string
        readonly type?: string
        readonly url?: string | null
        readonly owner?: string | null
        readonly description?: string | null
      })[]
      readonly git?: {
        readonly commit?: string
        readonly branch?: string
        readonly dirty?: boolean
      } | null
      readonly excluded_columns?: number
      readonly active_assets?: number
    }
    readonly answer: {
      readonly success: true
      readonly assets_synced: number
      readonly lineage_edges_synced: number
      readonly schemas_synced: number
      readonly tests_synced: number
      readonly upload: {
        /** Record number. */
        readonly id: number | null
        readonly dry_run?: true
        readonly unchanged: boolean
        readonly added: number
        readonly changed: number
        readonly removed: number
        readonly glossary_synced: number
        readonly warnings: readonly ({
          readonly code: string
          readonly detail: string
          readonly pointer?: string
        })[]
      }
      readonly changes?: {
        readonly added: readonly (string)[]
        readonly changed: readonly ({
          readonly asset: string
          readonly columns: readonly ({
            readonly column: string
            readonly change: 'added' | 'removed' | 'type' | 'nullable' | 'pii' | 'description'
            readonly old: unknown
            readonly new: unknown
            readonly breaking: boolean
          })[]
        })[]
        readonly removed: readonly (string)[]
        readonly breaking: readonly ({
          /** Record number. */
          readonly asset_id: number
          readonly asset: string
          readonly column: string
          readonly change: 'removed' | 'type' | 'nullable'
          readonly old: unknown
          readonly new: unknown
          readonly affected: {
            readonly columns: readonly ({
              readonly asset: string
              readonly column: string
              readonly depth: number
              readonly changed: boolean
            })[]
            readonly assets: readonly (string)[]
            readonly exposures: readonly (string)[]
          }
        })[]
        readonly policies: readonly ({
          /** Record number. */
          readonly id: number | null
          readonly name: string
          readonly enforcement: string
          readonly breaches: readonly ({
            readonly asset: string
            readonly column: string
            readonly root: {
              readonly asset: string
              readonly column: string
            }
            readonly new: boolean
          })[]
        })[]
      }
    }
  }
  /** Upload test results: .svc/test_results.json as it is */
  readonly uploadTestResults: {
    readonly path: {
      readonly project: number
    }
    readonly query: Nothing
    readonly body: { readonly [name: string]: {
      readonly asset_name: string
      readonly timestamp: string
      readonly tests: readonly ({
        readonly name: string
        readonly status: 'pass' | 'fail'
        readonly execution_time: number
      })[]
      readonly summary?: {
        readonly total: number
        readonly passed: number
        readonly failed: number
      }
    } }
    readonly answer: {
      readonly success: true
      readonly assets_synced: number
      readonly tests_synced: number
      readonly warnings: readonly ({
        readonly code: string
        readonly detail: string
        readonly pointer?: string
      })[]
    }
  }
  /** List the uploads of a project, newest first */
  readonly listUploads: {
    readonly path: {
      readonly project: number
    }
    readonly query: {
      readonly limit?: number
    }
    readonly body: undefined
    readonly answer: readonly ({
      /** Record number. */
      readonly id: number
      readonly source: string
      readonly scope: 'full' | 'partial'
      readonly uploaded_at: string
      readonly uploaded_by: string
      readonly active: boolean
      readonly git: { readonly [name: string]: unknown } | null
      readonly assets_synced: number
      readonly lineage_edges_synced: number
      readonly schemas_synced: number
      readonly tests_synced: number
      readonly added: number
      readonly changed: number
      readonly removed: number
      readonly glossary_synced: number
      readonly warnings: readonly ({
        readonly code: string
        readonly detail: string
        readonly pointer?: string
      })[]
    })[]
  }
  /** Read the manifest of a project */
  readonly getManifest: {
    readonly path: {
      readonly project: number
    }
    readonly query: Nothing
    readonly body: undefined
    readonly answer: {
      readonly project: {
        /** Record number. */
        readonly id: number
        readonly identifier: string | null
        readonly name: string
        readonly warehouse: string | null
        readonly default_schema: string | null
        readonly revision: number
        readonly uploaded_at: string | null
      }
      readonly assets: readonly ({
        /** Record number. */
        readonly id: number
        readonly identifier: string
        readonly name: string
        readonly path: string
        readonly kind: 'source' | 'model' | 'publish'
        readonly description: string | null
        readonly owner: string | null
        readonly definition_hash: string | null
        readonly active_hash: string | null
        readonly tags: readonly (string)[]
        readonly blocks: { readonly [name: string]: unknown }
        readonly schema: {
          readonly columns?: readonly ({
            readonly name: string
            readonly type: string | null
            readonly nullable?: boolean
            readonly description?: string | null
            readonly pii?: boolean
            readonly masked?: boolean
          })[]
        }
      })[]
      readonly lineage: readonly ({
        /** Record number. */
        readonly from_id: number
        /** Record number. */
        readonly to_id: number
        readonly from: string
        readonly to: string
        readonly kind: 'ref' | 'exposure'
        readonly columns: readonly ({
          readonly from: string
          readonly to: string
          readonly transform?: string
          readonly masking?: boolean
        })[]
      })[]
      readonly schemas: { readonly [name: string]: {
        readonly columns: readonly ({
          readonly name: string
          readonly type: string | null
          readonly nullable?: boolean
          readonly description?: string | null
          readonly pii?: boolean
          readonly masked?: boolean
        })[]
      } }
      readonly tests: readonly ({
        /** Record number. */
        readonly asset_id: number
        readonly asset_name: string
        readonly name: string
        readonly type: string
        readonly column: string | null
        readonly severity: 'error' | 'warn'
        readonly definition: unknown
      })[]
    }
  }
  /** List the assets of a project; by name, to find the record number of one */
  readonly listAssets: {
    readonly path: {
      readonly project: number
    }
    readonly query: {
      readonly name?: string
      readonly identifier?: string
      readonly kind?: 'source' | 'model' | 'publish' | 'external' | 'exposure'
      readonly owner?: string
      readonly include?: 'removed'
      readonly sort?: string
      readonly limit?: number
      readonly cursor?: string
      readonly fields?: readonly (string)[]
    }
    readonly body: undefined
    readonly answer: readonly ({
      /** Record number. */
      readonly id: number
      readonly identifier: string
      readonly name: string
      readonly path: string
      readonly kind: 'source' | 'model' | 'publish' | 'external' | 'exposure'
      readonly description: string | null
      readonly owner: string | null
      readonly removed_at: string | null
    })[]
  }
  /** Read all that is known of an asset */
  readonly getAssetMetadata: {
    readonly path: {
      readonly asset: number
    }
    readonly query: Nothing
    readonly body: undefined
    readonly answer: {
      readonly asset: {
        /** Record number. */
        readonly id: number
        readonly identifier: string
        readonly name: string
        readonly path: string
        readonly kind: 'source' | 'model' | 'publish' | 'external' | 'exposure'
        readonly description: string | null
        /** Record number. */
        readonly project: number
        readonly removed_at: string | null
      }
      readonly schema: {
        readonly columns: readonly ({
          readonly name: string
          readonly type: string | null
          readonly nullable?: boolean
          readonly description?: string | null
          readonly pii?: boolean
          readonly masked?: boolean
        })[]
      }
      readonly blocks: { readonly [name: string]: unknown }
      readonly owner: string | null
      readonly tags: readonly (string)[]
      readonly definition_hash: string | null
      readonly details: { readonly [name: string]: unknown }
      readonly freshness: {
        readonly warn_after: string | null
        readonly error_after: string | null
        readonly status: 'OK' | 'WARN' | 'ERROR' | null
        readonly last_run: string | null
      } | null
      readonly terms: readonly ({
        /** Record number. */
        readonly link: number
        /** Record number. */
        readonly term: number
        readonly term_identifier: string
        readonly term_name: string
        readonly column: string | null
        readonly role: string
      })[]
      readonly policies: readonly ({
        /** Record number. */
        readonly id: number
        readonly name: string
        readonly enforcement: string
        readonly breached_by: readonly (string)[]
      })[]
      readonly pii_columns: readonly (string)[]
      readonly active_version: {
        readonly version: number
        readonly hash: string
        readonly deployed_at: string
        readonly status: 'deployed' | 'Failed'
        readonly active: boolean
        readonly source: string
        /** Record number. */
        readonly upload_id: number
        readonly run_id: string | null
        readonly git: { readonly [name: string]: unknown } | null
      } | null
      readonly test_summary: {
        readonly total: number
        readonly passed: number
        readonly failed: number
        readonly pass_rate: number
      }
    }
  }
  /** Read the lineage of an asset */
  readonly getAssetLineage: {
    readonly path: {
      readonly asset: number
    }
    readonly query: {
      readonly depth?: string
      readonly direction?: 'upstream' | 'downstream' | 'both'
      readonly level?: 'asset' | 'column'
      readonly column?: string
      readonly format?: 'list' | 'graph'
    }
    readonly body: undefined
    readonly answer: {
      readonly upstream: readonly ({
        /** Record number. */
        readonly asset_id: number
        readonly asset_name: string
        readonly depth?: number
      })[]
      readonly downstream: readonly ({
        /** Record number. */
        readonly asset_id: number
        readonly asset_name: string
        readonly depth?: number
      })[]
    } | {
      readonly nodes: readonly ({
        /** Record number. */
        readonly asset_id: number
        readonly asset_name: string
        readonly kind: 'source' | 'model' | 'publish' | 'external' | 'exposure'
        readonly path: string
        readonly depth: number
      })[]
      readonly edges: readonly ({
        /** Record number. */
        readonly from: number
        /** Record number. */
        readonly to: number
        readonly kind: string
        readonly columns: readonly ({
          readonly from: string
          readonly to: string
          readonly transform?: string
          readonly masking?: boolean
        })[]
      })[]
    } | {
      /** Record number. */
      readonly asset_id: number
      readonly asset_name: string
      readonly columns: readonly ({
        readonly column: string
        readonly upstream: readonly ({
          /** Record number. */
          readonly asset_id: number
          readonly asset_name: string
          readonly column: string
          readonly depth: number
          readonly masked: boolean
        })[]
        readonly downstream: readonly ({
          /** Record number. */
          readonly asset_id: number
          readonly asset_name: string
          readonly column: string
          readonly depth: number
          readonly masked: boolean
        })[]
      })[]
    }
  }
  /** Read test definitions and results of an asset */
  readonly getAssetTests: {
    readonly path: {
      readonly asset: number
    }
    readonly query: {
      readonly history?: number
    }
    readonly body: undefined
    readonly answer: {
      /** Record number. */
      readonly asset_id: number
      readonly asset_name: string
      readonly tests: readonly ({
        readonly name: string
        readonly type: string
        readonly column: string | null
        readonly severity: 'error' | 'warn'
        readonly definition: unknown
      })[]
      readonly results: readonly ({
        readonly name: string
        readonly status: 'pass' | 'fail'
        /** Seconds. */
        readonly execution_time: number
        readonly timestamp: string
      })[]
      readonly summary: {
        readonly total: number
        readonly passed: number
        readonly failed: number
        readonly pass_rate: number
      }
      readonly last_run: string | null
      readonly history?: readonly ({
        readonly timestamp: string
        readonly tests: readonly ({
          readonly name: string
          readonly status: 'pass' | 'fail'
          /** Seconds. */
          readonly execution_time: number
        })[]
        readonly summary: {
          readonly total: number
          readonly passed: number
          readonly failed: number
          readonly pass_rate: number
        }
      })[]
    }
  }
  /** Read whom a change of a column hits, and which terms and policies the column stands under */
  readonly getAssetImpact: {
    readonly path: {
      readonly asset: number
    }
    readonly query: {
      readonly column?: string
    }
    readonly body: undefined
    readonly answer: {
      /** Record number. */
      readonly asset_id: number
      readonly asset_name: string
      readonly columns: readonly ({
        readonly column: string
        readonly terms: readonly ({
          /** Record number. */
          readonly link: number
          /** Record number. */
          readonly term: number
          readonly term_identifier: string
          readonly term_name: string
          readonly column: string | null
          readonly role: string
        })[]
        readonly policies: readonly ({
          /** Record number. */
          readonly id: number
          readonly name: string
          readonly enforcement: string
          readonly breached: boolean
        })[]
        readonly personal: boolean
        readonly affected: {
          readonly columns: readonly ({
            /** Record number. */
            readonly asset_id: number
            readonly asset_name: string
            readonly column: string
            readonly depth: number
          })[]
          readonly assets: readonly ({
            /** Record number. */
            readonly asset_id: number
            readonly asset_name: string
          })[]
          readonly exposures: readonly ({
            /** Record number. */
            readonly asset_id: number
            readonly asset_name: string
          })[]
        }
      })[]
    }
  }
  /** Read the version history of an asset, newest first */
  readonly getAssetVersions: {
    readonly path: {
      readonly asset: number
    }
    readonly query: Nothing
    readonly body: undefined
    readonly answer: {
      /** Record number. */
      readonly asset_id: number
      readonly asset_name: string
      readonly versions: readonly ({
        readonly version: number
        readonly hash: string
        readonly deployed_at: string
        readonly status: 'deployed' | 'Failed'
        readonly active: boolean
        readonly source: string
        /** Record number. */
        readonly upload_id: number
        readonly run_id: string | null
        readonly git: { readonly [name: string]: unknown } | null
      })[]
    }
  }
  /** Read one version of an asset by its hash or the beginning of it */
  readonly getAssetVersion: {
    readonly path: {
      readonly asset: number
      readonly hash: string
    }
    readonly query: {
      readonly diff?: string
    }
    readonly body: undefined
    readonly answer: {
      /** Record number. */
      readonly asset_id: number
      readonly asset_name: string
      readonly hash: string
      readonly versions: readonly ({
        readonly version: number
        readonly hash: string
        readonly deployed_at: string
        readonly status: 'deployed' | 'Failed'
        readonly active: boolean
        readonly source: string
        /** Record number. */
        readonly upload_id: number
        readonly run_id: string | null
        readonly git: { readonly [name: string]: unknown } | null
      })[]
      readonly content: {
        readonly name: string
        readonly path: string
        readonly description: string | null
        readonly owner: string | null
        readonly tags: readonly (string)[]
        readonly blocks: { readonly [name: string]: unknown }
        readonly schema: {
          readonly columns: readonly ({
            readonly name: string
            readonly type: string | null
            readonly nullable?: boolean
            readonly description?: string | null
            readonly pii?: boolean
            readonly masked?: boolean
          })[]
        }
        readonly tests: readonly ({
          readonly name: string
          readonly type: string
          readonly column: string | null
          readonly severity: 'error' | 'warn'
          readonly definition: unknown
        })[]
      } | null
      readonly diff?: {
        readonly from: string
        readonly to: string
        readonly columns: readonly ({
          readonly column: string
          readonly change: string
          readonly old: unknown
          readonly new: unknown
          readonly breaking: boolean
        })[]
        readonly sql: {
          readonly old: string | null
          readonly new: string | null
        } | null
        /** Names of the blocks that differ. */
        readonly blocks: readonly (string)[]
      }
    }
  }
  /** Check the policies of a project, or those about one asset, by column lineage */
  readonly checkPolicies: {
    readonly path: Nothing
    readonly query: {
      readonly project: number
      readonly asset?: number
    }
    readonly body: undefined
    readonly answer: {
      /** Record number. */
      readonly project: number
      readonly asset: {
        /** Record number. */
        readonly asset_id: number
        readonly asset_name: string
      } | null
      readonly policies: readonly ({
        /** Record number. */
        readonly id: number
        readonly name: string
        readonly rule: string
        readonly enforcement: string
        readonly assets_covered: number
        readonly personal_columns: number
        readonly breach_count: number
        readonly breaches: readonly ({
          /** Record number. */
          readonly asset_id: number
          readonly asset_name: string
          readonly column: string
          readonly root: {
            /** Record number. */
            readonly asset_id: number
            readonly asset_name: string
            readonly column: string
          }
          readonly path: readonly ({
            /** Record number. */
            readonly asset_id: number
            readonly asset_name: string
            readonly column: string
          })[]
        })[]
      })[]
      readonly summary: {
        readonly policies: number
        readonly breached: number
        readonly breaches: number
      }
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
  bulkTerms: { method: 'POST', path: '/api/svc/glossary/terms/bulk' },
  getTerm: { method: 'GET', path: '/api/svc/glossary/terms/{ref}' },
  replaceTerm: { method: 'PUT', path: '/api/svc/glossary/terms/{ref}' },
  updateTerm: { method: 'PATCH', path: '/api/svc/glossary/terms/{ref}' },
  deleteTerm: { method: 'DELETE', path: '/api/svc/glossary/terms/{ref}' },
  restoreTerm: { method: 'POST', path: '/api/svc/glossary/terms/{ref}/restore' },
  listTermVersions: { method: 'GET', path: '/api/svc/glossary/terms/{ref}/versions' },
  getTermVersion: { method: 'GET', path: '/api/svc/glossary/terms/{ref}/versions/{version}' },
  createMetric: { method: 'POST', path: '/api/svc/glossary/metrics' },
  listMetrics: { method: 'GET', path: '/api/svc/glossary/metrics' },
  bulkMetrics: { method: 'POST', path: '/api/svc/glossary/metrics/bulk' },
  getMetric: { method: 'GET', path: '/api/svc/glossary/metrics/{ref}' },
  replaceMetric: { method: 'PUT', path: '/api/svc/glossary/metrics/{ref}' },
  updateMetric: { method: 'PATCH', path: '/api/svc/glossary/metrics/{ref}' },
  deleteMetric: { method: 'DELETE', path: '/api/svc/glossary/metrics/{ref}' },
  restoreMetric: { method: 'POST', path: '/api/svc/glossary/metrics/{ref}/restore' },
  listMetricVersions: { method: 'GET', path: '/api/svc/glossary/metrics/{ref}/versions' },
  getMetricVersion: { method: 'GET', path: '/api/svc/glossary/metrics/{ref}/versions/{version}' },
  createDimension: { method: 'POST', path: '/api/svc/glossary/dimensions' },
  listDimensions: { method: 'GET', path: '/api/svc/glossary/dimensions' },
  bulkDimensions: { method: 'POST', path: '/api/svc/glossary/dimensions/bulk' },
  getDimension: { method: 'GET', path: '/api/svc/glossary/dimensions/{ref}' },
  replaceDimension: { method: 'PUT', path: '/api/svc/glossary/dimensions/{ref}' },
  updateDimension: { method: 'PATCH', path: '/api/svc/glossary/dimensions/{ref}' },
  deleteDimension: { method: 'DELETE', path: '/api/svc/glossary/dimensions/{ref}' },
  restoreDimension: { method: 'POST', path: '/api/svc/glossary/dimensions/{ref}/restore' },
  listDimensionVersions: { method: 'GET', path: '/api/svc/glossary/dimensions/{ref}/versions' },
  getDimensionVersion: { method: 'GET', path: '/api/svc/glossary/dimensions/{ref}/versions/{version}' },
  createPolicy: { method: 'POST', path: '/api/svc/glossary/policies' },
  listPolicies: { method: 'GET', path: '/api/svc/glossary/policies' },
  bulkPolicies: { method: 'POST', path: '/api/svc/glossary/policies/bulk' },
  getPolicy: { method: 'GET', path: '/api/svc/glossary/policies/{ref}' },
  replacePolicy: { method: 'PUT', path: '/api/svc/glossary/policies/{ref}' },
  updatePolicy: { method: 'PATCH', path: '/api/svc/glossary/policies/{ref}' },
  deletePolicy: { method: 'DELETE', path: '/api/svc/glossary/policies/{ref}' },
  restorePolicy: { method: 'POST', path: '/api/svc/glossary/policies/{ref}/restore' },
  listPolicyVersions: { method: 'GET', path: '/api/svc/glossary/policies/{ref}/versions' },
  getPolicyVersion: { method: 'GET', path: '/api/svc/glossary/policies/{ref}/versions/{version}' },
  createLink: { method: 'POST', path: '/api/svc/glossary/links' },
  listLinks: { method: 'GET', path: '/api/svc/glossary/links' },
  bulkLinks: { method: 'POST', path: '/api/svc/glossary/links/bulk' },
  getLink: { method: 'GET', path: '/api/svc/glossary/links/{ref}' },
  replaceLink: { method: 'PUT', path: '/api/svc/glossary/links/{ref}' },
  updateLink: { method: 'PATCH', path: '/api/svc/glossary/links/{ref}' },
  deleteLink: { method: 'DELETE', path: '/api/svc/glossary/links/{ref}' },
  restoreLink: { method: 'POST', path: '/api/svc/glossary/links/{ref}/restore' },
  listLinkVersions: { method: 'GET', path: '/api/svc/glossary/links/{ref}/versions' },
  getLinkVersion: { method: 'GET', path: '/api/svc/glossary/links/{ref}/versions/{version}' },
  exportGlossary: { method: 'GET', path: '/api/svc/glossary/projects/{project_id}/export' },
  importGlossary: { method: 'POST', path: '/api/svc/glossary/projects/{project_id}/import' },
  search: { method: 'GET', path: '/api/svc/search' },
  listProjects: { method: 'GET', path: '/api/svc/projects' },
  createProject: { method: 'POST', path: '/api/svc/projects' },
  getProject: { method: 'GET', path: '/api/svc/projects/{project_id}' },
  updateProject: { method: 'PATCH', path: '/api/svc/projects/{project_id}' },
  deleteProject: { method: 'DELETE', path: '/api/svc/projects/{project_id}' },
  restoreProject: { method: 'POST', path: '/api/svc/projects/{project_id}/restore' },
  uploadContextPack: { method: 'POST', path: '/api/svc/metadata/projects/{project}/upload' },
  uploadTestResults: { method: 'POST', path: '/api/svc/metadata/projects/{project}/test-results' },
  listUploads: { method: 'GET', path: '/api/svc/metadata/projects/{project}/uploads' },
  getManifest: { method: 'GET', path: '/api/svc/metadata/projects/{project}/manifest' },
  listAssets: { method: 'GET', path: '/api/svc/metadata/projects/{project}/assets' },
  getAssetMetadata: { method: 'GET', path: '/api/svc/metadata/assets/{asset}/metadata' },
  getAssetLineage: { method: 'GET', path: '/api/svc/metadata/assets/{asset}/lineage' },
  getAssetTests: { method: 'GET', path: '/api/svc/metadata/assets/{asset}/tests' },
  getAssetImpact: { method: 'GET', path: '/api/svc/metadata/assets/{asset}/impact' },
  getAssetVersions: { method: 'GET', path: '/api/svc/metadata/assets/{asset}/versions' },
  getAssetVersion: { method: 'GET', path: '/api/svc/metadata/assets/{asset}/versions/{hash}' },
  checkPolicies: { method: 'GET', path: '/api/svc/policies/check' },
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
