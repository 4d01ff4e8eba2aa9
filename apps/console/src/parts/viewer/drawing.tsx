import { useEffect, useRef, useState } from 'react'
import type { Source } from './sources.ts'
import type { View } from './view.ts'
import styles from './viewer.module.css'

type DrawingProps = { source: Source; view: View; label: string; onFault: (error: unknown) => void }

/** A page of a file on a canvas: no address of the file is needed, and no wider policy. */
export function Drawing({ source, view, label, onFault }: DrawingProps) {
  const { page, turn, zoom, fit } = view
  const canvas = useRef<HTMLCanvasElement>(null)
  const [bitmap, setBitmap] = useState<ImageBitmap>()
  useEffect(() => {
    let isWanted = true
    source.draw(page).then(
      (drawn) => isWanted && setBitmap(drawn),
      (error) => isWanted && onFault(error),
    )
    return () => {
      isWanted = false
    }
  }, [source, page, onFault])
  useEffect(() => {
    if (canvas.current && bitmap) paint(canvas.current, bitmap, turn)
  }, [bitmap, turn])
  if (!bitmap) return null
  const isAcross = turn % 180 !== 0
  const ratio = isAcross ? bitmap.height / bitmap.width : bitmap.width / bitmap.height
  const fitting = fit === 'width' ? '100cqw' : `min(100cqw, 100cqh * ${ratio})`
  return (
    <canvas
      ref={canvas}
      role="img"
      aria-label={label}
      data-page={page}
      data-turn={turn}
      className={styles['canvas']}
      style={{ width: `calc(${fitting} * ${zoom})` }}
    />
  )
}

function paint(canvas: HTMLCanvasElement, bitmap: ImageBitmap, turn: number): void {
  const { width, height } = bitmap
  const isAcross = turn % 180 !== 0
  canvas.width = isAcross ? height : width
  canvas.height = isAcross ? width : height
  const context = canvas.getContext('2d')
  if (!context) return
  context.translate(canvas.width / 2, canvas.height / 2)
  context.rotate((turn * Math.PI) / 180)
  context.drawImage(bitmap, -width / 2, -height / 2)
}
