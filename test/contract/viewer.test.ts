/** How the viewer of the console moves over pages and files, and what it enlarges and turns. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FIRST, type Move, mayMove, moved } from '../../apps/console/src/parts/viewer/view.ts'

const after = (moves: readonly Move[], extent: { files: number; pages: number }) =>
  moves.reduce((view, move) => moved(view, move, extent), FIRST)

test('next goes over the pages of a file, then to the next file, and stays at the end', () => {
  const extent = { files: 2, pages: 2 }
  assert.equal(after(['next'], extent).page, 2)
  const second = after(['next', 'next'], extent)
  assert.deepEqual([second.at, second.page], [1, 1])
  const last = after(['next', 'next', 'next', 'next'], extent)
  assert.deepEqual([last.at, last.page, mayMove(last, 'next', extent)], [1, 2, false])
})

test('previous goes back the same way, and stays at the beginning', () => {
  const extent = { files: 2, pages: 2 }
  assert.equal(mayMove(FIRST, 'previous', extent), false)
  assert.deepEqual(after(['previous'], extent), FIRST)
  assert.equal(after(['next', 'previous'], extent).page, 1)
  assert.equal(after([{ file: 1 }, 'previous'], extent).at, 0)
})

test('four turns are none, either way', () => {
  const extent = { files: 1, pages: 1 }
  assert.equal(after(['turn'], extent).turn, 90)
  assert.equal(after(['turn_back'], extent).turn, 270)
  assert.equal(after(['turn', 'turn', 'turn', 'turn'], extent).turn, 0)
})

test('zoom has bounds, fit ends it, and another file begins as it fits', () => {
  const extent = { files: 2, pages: 1 }
  const many = (move: Move): Move[] => Array<Move>(40).fill(move)
  assert.equal(after(many('larger'), extent).zoom, 6)
  assert.equal(after(many('smaller'), extent).zoom, 0.25)
  const fitting = after([...many('larger'), 'fit'], extent)
  assert.deepEqual([fitting.zoom, fitting.fit], [1, 'width'])
  const other = after(['larger', 'turn', 'fit', { file: 1 }], extent)
  assert.deepEqual(other, { ...FIRST, at: 1, fit: 'width' })
})
