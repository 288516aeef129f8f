import { useEffect, useId, useState } from 'react';

interface Props {
  readonly label: string;
  /** `2026-11-03`, or empty. */
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** A day, by the control of the system. A year that is not typed to its end, such as 0002, is not taken yet. */
export function DayField({ label, value, onChange }: Props) {
  const id = useId();
  const [typed, setTyped] = useState(value);
  useEffect(() => setTyped(value), [value]);
  const take = (next: string) => {
    setTyped(next);
    if (next === '' || next >= '1970-01-02') onChange(next);
  };
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input id={id} type="date" value={typed} onChange={({ target }) => take(target.value)} />
    </div>
  );
}
