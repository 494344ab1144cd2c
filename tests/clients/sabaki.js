// Plays and analyses through Sabaki's own controller, as Sabaki does. Arguments: the folder with node_modules, the engine, its arguments.
// Writes what came of it as JSON.

const [folder, engine, ...args] = process.argv.slice(2)
const {Controller, Command} = require(folder + '/node_modules/@sabaki/gtp')

async function main() {
  const controller = new Controller(engine, args)
  const messages = []
  controller.on('stderr', ({content}) => messages.push(content))
  controller.start()
  const send = async (text, subscriber) => {
    const response = await controller.sendCommand(Command.fromString(text), subscriber)
    if (response.error) throw new Error(text + ': ' + response.content)
    return response.content
  }
  const result = {name: await send('name'), version: await send('version'), protocol: await send('protocol_version')}
  result.commands = (await send('list_commands')).split('\n')
  for (const line of ['komi 6.5', 'boardsize 9', 'clear_board', 'play B E5']) await send(line)

  // Analysis goes on until the next command.
  let lines = 0
  let stop = null
  const analysis = send('kata-analyze W 5 ownership true pvVisits true', ({line}) => {
    if (!line.startsWith('info move ')) return
    result.analysis = line
    if (++lines === 3) stop = send('protocol_version')
  })
  await analysis
  await stop
  result.lines = lines
  await send('undo')
  await send('play B C3')

  // A move with analysis, then a game against itself.
  const moves = []
  result.generated = await send('kata-genmove_analyze W 5', () => {})
  for (let turn = 0; turn < 6; turn++) moves.push(await send('genmove ' + 'BW'[turn % 2]))
  result.moves = moves
  result.illegal = (await controller.sendCommand(Command.fromString('play B C3'))).content
  await controller.stop()
  result.ready = messages.includes('GTP ready')
  console.log(JSON.stringify(result))
}

main().catch(error => {
  console.error(error)
  process.exit(1)
})
