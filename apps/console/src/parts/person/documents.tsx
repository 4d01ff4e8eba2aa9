import { IconFiles } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Identification } from '../../api/types.ts'
import { Empty } from '../empty.tsx'
import { Facts } from '../facts.tsx'
import { Failing } from '../failing.tsx'
import { useKeys } from '../keys.ts'
import { Panel } from '../panel.tsx'
import { Code, Day, Status } from '../values.tsx'
import { Viewer } from '../viewer/viewer.tsx'
import { Waiting } from '../waiting.tsx'
import styles from './documents.module.css'
import { filesOf, identificationsOf, type Person, readFile } from './person.ts'

type DocumentsProps = {
  person: Person
  /** Buttons beside the heading. */
  actions?: ReactNode
  /** Actions on the chosen identification. */
  of?: (identification: Identification) => ReactNode
}

const WAITING_HEIGHT = 420

/** The identifications of a user, with the files of one of them. */
export function Documents({ person, actions, of }: DocumentsProps) {
  const { t } = useTranslation()
  const { data, error, refetch } = useQuery(identificationsOf(person))
  const [chosen, choose] = useState('')
  const at = Math.max(0, data?.findIndex(({ id }) => id === chosen) ?? 0)
  const step = (by: number) => choose(data?.[at + by]?.id ?? chosen)
  useKeys({ ']': () => step(1), '[': () => step(-1) })
  const identification = data?.[at]
  return (
    <Panel title={t('reviews.documents')} actions={actions} flush>
      {error && <Failing error={error} retry={refetch} />}
      {!data && !error && <Waiting height={WAITING_HEIGHT} />}
      {data?.length === 0 && (
        <Empty
          icon={IconFiles}
          title={t('reviews.no_documents')}
          text={t('reviews.no_documents_text')}
          isSmall
        />
      )}
      {data && data.length > 1 && (
        <ul className={styles['tabs']}>
          {data.map(({ id, type, document_status }, place) => (
            <li key={id}>
              <button type="button" aria-pressed={place === at} onClick={() => choose(id)}>
                <Code>{type}</Code>
                <Status>{document_status}</Status>
              </button>
            </li>
          ))}
        </ul>
      )}
      {identification && (
        <div key={identification.id} className={styles['document']}>
          <DocumentFacts identification={identification} actions={of?.(identification)} />
          <Files person={person} identification={identification} />
        </div>
      )}
    </Panel>
  )
}

type DocumentFactsProps = { identification: Identification; actions: ReactNode }

function DocumentFacts({ identification, actions }: DocumentFactsProps) {
  const { t } = useTranslation()
  const { type, number, issuance_date, expiration_date, document_status } = identification
  const { document_status_reason: reason } = identification
  return (
    <>
      <div className={styles['head']}>
        <h3 className={styles['title']}>
          <Code>{type}</Code> <Status>{document_status}</Status>
        </h3>
        <div className={styles['actions']}>{actions}</div>
      </div>
      <Facts
        rows={[
          [t('reviews.number'), number && <Code key="number">{number}</Code>],
          [t('reviews.issued'), issuance_date && <Day key="issued" at={issuance_date} />],
          [t('reviews.expires'), expiration_date && <Day key="expires" at={expiration_date} />],
          [t('reviews.authority'), identification.issuance_authority],
          [t('reviews.place'), identification.place_of_issuance],
          [t('reviews.note'), identification.identification_note],
          [t('reviews.reason'), reason === 'I0' ? undefined : <bdi key="reason">{reason}</bdi>],
        ]}
      />
    </>
  )
}

/** A type of a document that has one kind of file. */
const ONLY = 'NOT APPLICABLE'

function Files({ person, identification }: { person: Person; identification: Identification }) {
  const { t } = useTranslation()
  const { data, error, refetch } = useQuery(filesOf(person, identification))
  if (error) return <Failing error={error} retry={refetch} />
  if (!data) return <Waiting height={WAITING_HEIGHT} />
  if (data.length === 0) return <p className={styles['none']}>{t('reviews.no_files')}</p>
  const files = data.map((file) => ({
    id: file.id,
    name: file.file_name,
    title: titleOf(file),
    content_type: file.content_type,
    ...(file.scan_status && { scan_status: file.scan_status }),
  }))
  return (
    <Viewer
      key={files.map(({ id }) => id).join()}
      files={files.toReversed()}
      read={(id) => readFile(person, identification, id)}
    />
  )
}

function titleOf(file: {
  identification_document_type: string
  identification_type: string
  document_version: number
}): string {
  const { identification_document_type: side, identification_type, document_version } = file
  const name = side === ONLY ? identification_type : side
  return document_version > 1 ? `${name} · v${document_version}` : name
}
