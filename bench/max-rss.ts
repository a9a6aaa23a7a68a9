import { writeFileSync } from 'node:fs';

// Loaded in front of a program whose memory is measured.
process.on('exit', () => writeFileSync(process.env['BENCH_MAX_RSS'] ?? '', String(process.resourceUsage().maxRSS)));
