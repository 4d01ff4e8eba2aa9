import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DrillFault } from '../../deploy/drills/fault.ts'
import { allowedCalls } from '../../deploy/drills/stage/system_calls.ts'

const SETS = `@default
    # System calls that are always permitted
    brk

@file-system
    @chown
    open

@chown
    chown

@system
    @file-system

# Ungrouped System Calls (known but not included in any of the groups except @known):
#   fadvise
`

const callsOf = (...lines: string[]) =>
  [...allowedCalls(lines.map((line) => `SystemCallFilter=${line}\n`).join(''), SETS)].sort()

test('a filter allows the calls of its sets, and those of sets within them', () => {
  assert.deepEqual(callsOf('@file-system read'), ['brk', 'chown', 'open', 'read'])
})

test('a later line takes calls away, but not those that systemd always allows', () => {
  assert.deepEqual(callsOf('@system', '~@chown brk'), ['brk', 'open'])
})

test('a set that systemd does not know is a fault', () => {
  assert.throws(() => callsOf('@files'), DrillFault)
})
