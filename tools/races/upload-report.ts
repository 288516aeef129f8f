export interface UploadRaceReport {
  readonly uploads: number;
  /** Chunks that Forge had acknowledged and did not have later. Must be 0. */
  lostChunks: number;
  /** Uploads whose creation was answered and that could not be taken up again. Must be 0. */
  lostUploads: number;
  /** Downloads with other bytes than were uploaded, parts of downloads among them. Must be 0. */
  wrongContents: number;
  /** Cancelled, superseded or deleted contents that could still be written or read. Must be empty. */
  readonly stillUsable: string[];
  /** Second ingots of one name, made by a request that was sent again. Must be 0. */
  duplicateIngots: number;
  /** What the books say when all is over and should not. Must be empty. */
  deviations: string[];
  /** Chunks that were acknowledged and contents that were read: no kill without one in between. */
  done: number;
  /** Contents that arrived whole. */
  whole: number;
  resumes: number;
  /** Uploads that began anew because nobody had answered their creation. */
  restarted: number;
  cutDownloads: number;
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
    whole: 0,
    resumes: 0,
    restarted: 0,
    cutDownloads: 0,
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
    `${report.lostUploads} lost uploads, ${report.wrongContents} wrong contents, ${report.stillUsable.length} stillUsable, ` +
    `${report.duplicateIngots} split ingots; ${report.whole} whole, ${report.resumes} resumes, ` +
    `${report.restarted} started again, ${report.cutDownloads} cut downloads` +
    [...report.stillUsable, ...report.deviations].map((deviation) => `; ${deviation}`).join('')
  );
}
