import { type Route, route } from '#kit/http/route.ts'
import { listJobs, listProcesses, readHealth } from './processes.ts'
import { Health, Jobs, Processes } from './schema.ts'

export const processRoutes: readonly Route[] = [
  route({
    id: 'getHealth',
    tag: 'Health',
    description:
      'Says whether every part of the platform is at work: a part is UP where one of its ' +
      'processes was seen within 15 s, and DOWN where none was within 60 s.',
    method: 'GET',
    path: '/health',
    permission: 'read',
    summary: 'Get the health of the platform',
    answer: Health,
    run: (ctx) => readHealth(ctx),
  }),
  route({
    id: 'listProcesses',
    tag: 'Operator',
    description:
      'Lists the processes of the platform, newest first. A process that was stopped is not ' +
      'listed; one that ended otherwise is DOWN for a day.',
    method: 'GET',
    path: '/operator/processes',
    permission: 'operator',
    summary: 'List processes',
    answer: Processes,
    run: (ctx) => listProcesses(ctx),
  }),
  route({
    id: 'listJobs',
    tag: 'Operator',
    description:
      'Lists the jobs of every process with their last run and their last failure. Those that ' +
      'fail are first, then those that are overdue.',
    method: 'GET',
    path: '/operator/jobs',
    permission: 'operator',
    summary: 'List jobs',
    answer: Jobs,
    run: (ctx) => listJobs(ctx),
  }),
]
