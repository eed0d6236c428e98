// Prompts for the pairing code, then loads the requested page.

const form = document.querySelector("#pairing");
const field = document.querySelector("#code");
const pair = document.querySelector("#pair");
const status = document.querySelector("#status");

/** The typed digits in any script, at most 16. */
function digits() {
  return field.value.normalize("NFKC").replace(/\D/g, "").slice(0, 16);
}

/** Displays digits in the groups that the terminal prints. */
function setDigits(text) {
  const group = text.length > 6 ? /\d{1,4}/g : /\d{1,3}/g;
  field.value = (text.match(group) ?? []).join(" ");
  field.classList.toggle("long", text.length > 6);
}

function setStatus(text, isError = false) {
  status.textContent = text;
  status.classList.toggle("wrong", isError);
  field.setAttribute("aria-invalid", String(isError));
}

/** Sends a code. Returns the response; `null` if the server is not reachable. */
async function requestPairing(code) {
  const headers = { "content-type": "application/json" };
  return await fetch("/pair", { method: "POST", headers, body: JSON.stringify({ code }) }).catch(() => null);
}

function loadRequestedPage() {
  setStatus("Paired.");
  // Replaces this page in the history.
  location.replace(location.pathname + location.search);
}

async function send() {
  if (pair.disabled || digits() === "") {
    return;
  }
  pair.disabled = true;
  setStatus("Pairing…");
  const response = await requestPairing(digits());
  if (response?.ok) {
    loadRequestedPage();
    return;
  }
  if (response === null) {
    setStatus("Server not reachable. Check that holotape is still running.", true);
    pair.disabled = false;
    return;
  }
  if (response.status === 401) {
    setDigits("");
  }
  await waitForRetry(response);
}

/** Displays the error and counts down until the next attempt is accepted. */
async function waitForRetry(response) {
  const reason = response.status === 401 ? "Wrong or expired code." : "Too many wrong codes.";
  for (let seconds = Number(response.headers.get("retry-after") ?? 0); seconds > 0; seconds--) {
    setStatus(`${reason} Wait ${seconds} s.`, true);
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
  setStatus(response.status === 401 ? reason : "Try again.", true);
  pair.disabled = false;
  field.focus();
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  void send();
});

field.addEventListener("input", () => setDigits(digits()));

for (const key of form.querySelectorAll(".keys button[type=button]")) {
  key.addEventListener("click", () => {
    setDigits(key.dataset.key === "Backspace" ? digits().slice(0, -1) : digits() + key.textContent);
    setStatus("");
  });
}

document.querySelector("main").hidden = false;
field.focus();
