/** Looks at files that people have uploaded: pictures and PDFs, by mouse, touch and keys. */

import { IconFileUnknown, IconShieldExclamation } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Empty } from '../empty.tsx'
import { Failing } from '../failing.tsx'
import { useKeys } from '../keys.ts'
import { Waiting } from '../waiting.tsx'
import { Drawing } from './drawing.tsx'
import { isShown, Unreadable } from './sources.ts'
import { KEYS, Toolbar } from './toolbar.tsx'
import { useSource } from './use_source.ts'
import { FIRST, type Move, moved } from './view.ts'
import styles from './viewer.module.css'

export type ViewedFile = {
  id: string
  name: string
  /** The side or the page of a document that it shows. */
  title: string
  content_type: string
  /** The verdict of a virus scanner; only a CLEAN file is served. */
  scan_status?: 'HELD' | 'CLEAN' | 'INFECTED'
}

type ViewerProps = {
  files: readonly ViewedFile[]
  /** One call, which answers the bytes of a file. */
  read: (id: string) => Promise<Blob>
}

const WAITING_HEIGHT = 320

/** Shows at least one file. It begins anew if it gets another `key`. */
export function Viewer({ files, read }: ViewerProps) {
  const { t } = useTranslation()
  const [view, setView] = useState(FIRST)
  const file = files[Math.min(view.at, files.length - 1)]
  const { source, fault, setFault, retry } = useSource(file, read)
  const extent = { files: files.length, pages: source?.pages ?? 1 }
  const move = (step: Move) => setView((before) => moved(before, step, extent))
  useKeys({
    [KEYS.next]: () => move('next'),
    [KEYS.previous]: () => move('previous'),
    [KEYS.larger]: () => move('larger'),
    [KEYS.smaller]: () => move('smaller'),
    [KEYS.fit]: () => move('fit'),
    [KEYS.turn]: () => move('turn'),
    [KEYS.turn_back]: () => move('turn_back'),
  })
  if (!file) return null
  const label = t('reviews.viewer.shows', { title: file.title, page: view.page })
  return (
    <div className={styles['viewer']}>
      <FileTabs files={files} at={view.at} choose={(at) => move({ file: at })} />
      <Toolbar
        {...{ view, extent, move }}
        isShown={source !== undefined && fault === undefined}
        download={() => void save(file, read).catch(setFault)}
      />
      {/* biome-ignore lint/a11y/useSemanticElements: it is no part of a form. */}
      <div
        // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users scroll it too.
        tabIndex={0}
        role="group"
        aria-label={t('reviews.viewer.stage')}
        className={styles['stage']}
      >
        {fault !== undefined && <Fault fault={fault} retry={retry} />}
        {fault === undefined && source && (
          <Drawing {...{ source, view, label }} onFault={setFault} />
        )}
        {fault === undefined && !source && <Still file={file} />}
      </div>
    </div>
  )
}

type FileTabsProps = {
  files: readonly ViewedFile[]
  at: number
  choose: (at: number) => void
}

function FileTabs({ files, at, choose }: FileTabsProps) {
  return (
    <ul className={styles['files']}>
      {files.map(({ id, name, title }, place) => (
        <li key={id}>
          <button type="button" aria-pressed={place === at} onClick={() => choose(place)}>
            <bdi>{title}</bdi>
            {name !== title && <bdi className={styles['name']}>{name}</bdi>}
          </button>
        </li>
      ))}
    </ul>
  )
}

/** While nothing can be drawn: words where it never will be. */
function Still({ file: { content_type, scan_status } }: { file: ViewedFile }) {
  const { t } = useTranslation()
  if (scan_status === 'HELD' || scan_status === 'INFECTED') {
    const name = scan_status === 'HELD' ? 'held' : 'infected'
    return (
      <Empty
        icon={IconShieldExclamation}
        title={t(`reviews.viewer.${name}`)}
        text={t(`reviews.viewer.${name}_text`)}
      />
    )
  }
  if (!isShown(content_type)) {
    return (
      <Empty
        icon={IconFileUnknown}
        title={t('reviews.viewer.unknown')}
        text={t('reviews.viewer.unknown_text')}
      />
    )
  }
  return <Waiting height={WAITING_HEIGHT} />
}

function Fault({ fault, retry }: { fault: unknown; retry: () => void }) {
  const { t } = useTranslation()
  if (!(fault instanceof Unreadable)) return <Failing error={fault} retry={retry} />
  return (
    <Empty
      icon={IconFileUnknown}
      title={t(`reviews.viewer.${fault.why}`)}
      text={t(`reviews.viewer.${fault.why}_text`)}
    />
  )
}

async function save(file: ViewedFile, read: ViewerProps['read']): Promise<void> {
  const url = URL.createObjectURL(await read(file.id))
  Object.assign(document.createElement('a'), { href: url, download: file.name }).click()
  URL.revokeObjectURL(url)
}
