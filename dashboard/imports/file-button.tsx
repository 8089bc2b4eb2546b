import { writesWait } from '../data/writes.ts';

interface FileButtonProps {
  readonly label: string;
  readonly onFile: (file: File) => void;
  readonly isPrimary?: boolean;
}

/** Button that selects a file in the import format, or a table. */
export function FileButton({ label, onFile, isPrimary = false }: FileButtonProps) {
  const why = writesWait();
  return (
    <label class={`button ${isPrimary ? 'primary' : 'second'} file-button`} title={why}>
      {label}
      <input
        type="file"
        class="unseen"
        accept=".csv,.tsv,.txt,.json,.ndjson,.jsonl,text/csv,application/json"
        disabled={why !== undefined}
        onChange={(event) => {
          const file = event.currentTarget.files?.[0];
          // Clear the input, so that selecting the same file again triggers the event.
          event.currentTarget.value = '';
          if (file !== undefined) onFile(file);
        }}
      />
    </label>
  );
}
