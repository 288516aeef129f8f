export interface UploadRaceReport {
  readonly uploads: number;
  /** Chunks that Forge had acknowledged and lost later. Must be 0. */
  lostChunks: number;
  /** Uploads whose creation was answered and that could not be resumed. Must be 0. */
  lostUploads: number;
  /** Complete or interrupted downloads whose bytes differ from the upload. Must be 0. */
  wrongContents: number;
  /** Cancelled, superseded or deleted contents that can still be written or read. Must be empty. */
  readonly stillUsable: string[];
  /** Second ingots of one name, created by a retried request. Must be 0. */
  duplicateIngots: number;
  /** Figures that disagree after the race. Must be empty. */
  deviations: string[];
  /** Acknowledged chunks and completed downloads. There is at least one between two kills. */
  done: number;
  /** Uploads that completed. */
  completed: number;
  resumes: number;
  /** Uploads that were started over because their creation was not answered. */
  restarted: number;
  interruptedDownloads: number;
  readonly kills: Record<string, number>;
}

export function newReport(uploads: number): UploadRaceReport {
  return {
    uploads,
    lostChunks: 0,
    lostUploads: 0,
    wrongContents: 0,
    stillUsable: [],
    duplicateIngots: 0,
    deviations: [],
    done: 0,
    completed: 0,
    resumes: 0,
    restarted: 0,
    interruptedDownloads: 0,
    kills: {},
  };
}

export function isCleanUpload(report: UploadRaceReport): boolean {
  const { lostChunks, lostUploads, wrongContents, stillUsable, duplicateIngots, deviations } = report;
  return (
    lostChunks + lostUploads + wrongContents + stillUsable.length + duplicateIngots + deviations.length === 0
  );
}

/** The outcome in one line. */
export function summaryOfUploads(report: UploadRaceReport): string {
  const kills = Object.entries(report.kills).map(([victim, times]) => `${times} ${victim}`);
  return (
    `${report.uploads} uploads, kills: ${kills.join(', ') || 'none'}: ${report.lostChunks} lost chunks, ` +
    `${report.lostUploads} lost uploads, ${report.wrongContents} wrong contents, ${report.stillUsable.length} still usable, ` +
    `${report.duplicateIngots} duplicate ingots; ${report.completed} completed, ${report.resumes} resumes, ` +
    `${report.restarted} restarted, ${report.interruptedDownloads} interrupted downloads` +
    [...report.stillUsable, ...report.deviations].map((deviation) => `; ${deviation}`).join('')
  );
}
