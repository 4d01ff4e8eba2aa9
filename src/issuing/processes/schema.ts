/** Processes, their jobs and the health of the platform, as the API shows them. */

import { type Static, Type } from 'typebox'
import { Field, Instant, Line, OneOf, Uuid } from '#kit/http/schema.ts'
import { JOB_KINDS, JOB_STATUSES } from '#kit/jobs/job_records.ts'
import { PART_STATUSES, PARTS, ROLES } from './rules.ts'

const seen = Field('When it was seen last, in real time.', Instant)

const Part = Type.Object({
  part: Field('Part of the platform.', OneOf(PARTS)),
  status: Field(
    'UP where a process of the part was seen within 15 s, STALE within 60 s, else DOWN.',
    OneOf(PART_STATUSES),
  ),
  processes: Type.Integer({ description: 'Processes of the part that were seen within 60 s.' }),
  seen: Type.Optional(Field('When the last of them was seen, in real time.', Instant)),
})

export const Health = Type.Object(
  {
    status: Field('OK where every part is UP.', OneOf(['OK', 'DEGRADED'])),
    parts: Type.Array(Part, { description: 'The parts of the platform.' }),
  },
  { title: 'Health' },
)
export type Health = Static<typeof Health>

export const Process = Type.Object(
  {
    id: Field('Id of the process.', Uuid),
    name: Type.String({ description: 'Its roles and the end of its id.' }),
    version: Type.String({ description: 'Version of the program.' }),
    roles: Type.Array(OneOf(ROLES), { description: 'Roles of the process.' }),
    status: Field(
      'UP if it was seen within 15 s, STALE within 60 s, else DOWN.',
      OneOf(PART_STATUSES),
    ),
    started: Field('When it started, in real time.', Instant),
    seen,
    connections: Type.Integer({ description: 'Open connections of the card network.' }),
  },
  { title: 'Process' },
)
export type Process = Static<typeof Process>

export const Processes = Type.Object(
  { processes: Type.Array(Process, { description: 'Those of the last day, newest first.' }) },
  { title: 'Processes' },
)
export type Processes = Static<typeof Processes>

export const Job = Type.Object(
  {
    name: Field('Name of the sweep or chore.', Line),
    kind: Field('A SWEEP does due work of tenants, a CHORE looks after tables.', OneOf(JOB_KINDS)),
    status: Field(
      'FAILING where its last run failed, or one of the last minute; OVERDUE where no run has ' +
        'ended for a minute longer than its interval; WAITING before its first run.',
      OneOf(JOB_STATUSES),
    ),
    every_seconds: Type.Number({ description: 'Seconds from one run to the next.' }),
    last_run: Type.Optional(Field('When its last run ended, in real time.', Instant)),
    took_ms: Type.Optional(Type.Integer({ description: 'Milliseconds of its last run.' })),
    failures: Type.Integer({ description: 'Failures since the process started.' }),
    last_failed: Type.Optional(Field('When it failed last, in real time.', Instant)),
    last_error: Type.Optional(Type.String({ description: 'The last failure, in a sentence.' })),
    process_id: Field('Id of the process that runs it.', Uuid),
    process_name: Type.String({ description: 'Name of the process that runs it.' }),
    seen: Field('When the process reported this, in real time.', Instant),
  },
  { title: 'Job' },
)
export type Job = Static<typeof Job>

export const Jobs = Type.Object(
  { jobs: Type.Array(Job, { description: 'Those that fail first, then those overdue.' }) },
  { title: 'Jobs' },
)
export type Jobs = Static<typeof Jobs>
