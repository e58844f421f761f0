// Five cues, made with Web Audio; nothing is made unless sound is asked for.

// Each cue is a few notes: hertz, seconds after the beginning, seconds long, wave, and loudness.
const CUES = {
  join: [[520, 0, 0.09, "triangle", 0.18]],
  beat: [
    [58, 0, 0.16, "sine", 0.7],
    [52, 0.22, 0.18, "sine", 0.5],
  ],
  good: [
    [660, 0, 0.1, "triangle", 0.25],
    [880, 0.09, 0.16, "triangle", 0.25],
  ],
  bad: [
    [180, 0, 0.18, "sawtooth", 0.12],
    [120, 0.1, 0.22, "sawtooth", 0.12],
  ],
  win: [
    [523, 0, 0.14, "triangle", 0.3],
    [659, 0.13, 0.14, "triangle", 0.3],
    [784, 0.26, 0.14, "triangle", 0.3],
    [1047, 0.39, 0.5, "triangle", 0.3],
  ],
};

/** @typedef {keyof typeof CUES} Cue */

/**
 * Make sounds, which are on if they are `wanted`: `play` plays a cue, and `turn` switches them on or off.
 * @param {boolean} wanted
 */
export function createSounds(wanted) {
  let audio = wanted ? new AudioContext() : null;

  /** @param {Cue} cue */
  function play(cue) {
    // Where sound must wait for a click, as in a browser, what was not heard is not kept: it would all sound at once.
    if (audio?.state === "suspended") audio.resume().catch(() => undefined);
    if (audio?.state !== "running") return;
    for (const note of CUES[cue]) sound(audio, /** @type {any} */ (note));
  }

  /** @param {boolean} on */
  function turn(on) {
    if (on && !audio) audio = new AudioContext();
    if (on) audio?.resume().catch(() => undefined);
    if (on) return;
    audio?.close().catch(() => undefined);
    audio = null;
  }

  return { play, turn };
}

function sound(audio, [hertz, after, seconds, wave, loudness]) {
  const from = audio.currentTime + after;
  const tone = new OscillatorNode(audio, { type: wave, frequency: hertz });
  const volume = new GainNode(audio, { gain: 0 });
  volume.gain.setValueAtTime(loudness, from);
  volume.gain.exponentialRampToValueAtTime(0.001, from + seconds);
  tone.connect(volume).connect(audio.destination);
  tone.start(from);
  tone.stop(from + seconds);
}
