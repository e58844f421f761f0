# 보드: 누구나 볼 수 있는 방의 페이지.

help-board = 이 채팅의 보드 주소를 알려 줘요. 순위, 게임의 환급률, 지난 판을 볼 수 있어요.
help-replay = 끝난 판을 단계별로 다시 볼 수 있는 주소를 알려 줘요. 판을 붙이지 않으면 마지막 판이에요.
help-private = 보드와 다시 보기에서 내 이름을 숨겨요. off를 붙이면 다시 보여요.
option-replay-table = 판 번호(!history에 나와요)
option-private-off = 이름을 다시 보이기
setting-room-board = 주소를 아는 누구나 볼 수 있는 보드와, 끝난 판의 모든 패와 비밀 수를 보여 주는 다시 보기를 둘지
setting-room-board_sites = 보드를 자기 페이지 안에 넣어도 되는 사이트
expects-sites = none, 또는 쉼표로 구분한 사이트 { $most }개까지(예: { $example })
board-address = 이 채팅의 보드: { $address }
board-address-local = 이 채팅의 보드는 봇이 실행되는 컴퓨터에서 열려요: { $address }
replay-address = { $table } 판을 증명과 함께 단계별로 다시 보기: { $address }
replay-address-local = 봇이 실행되는 컴퓨터에서 { $table } 판을 증명과 함께 단계별로 다시 보기: { $address }
replay-none = 아직 끝난 판이 없어요.
board-off = 이 채팅에는 보드가 없어요. 스트리머가 켤 수 있어요: !set room board yes
board-closed = 여기에는 페이지가 없어요. chatbot run으로 봇을 시작해 주세요.
private-on = 이제 보드와 다시 보기에 이름이 나오지 않아요. 채팅에는 그대로 나와요. 되돌리려면 !private off
private-off = 보드와 다시 보기에 이름이 나와요.
board-somebody = 익명
board-top-credits = 부자
board-top-watched = 오래 본 사람
board-top-won = { $game }, { $days }일
board-watched = { $hours }시간 { $minutes }분

# 페이지의 글. 대문자로 쓴 말은 페이지에서 바뀌어요.
board-name = 보드 · Rabble
board-theme = 어둡게 또는 밝게
board-tops = 순위
board-season = 시즌
board-odds = 얼마나 돌아오나요
board-playing = 지금 하는 게임
board-league = 리그
board-tables = 지난 판
board-fair = 공정한 추첨
board-fair-how = 판마다 비밀은 열리기 전에 정해져요. 아래 줄이 그 비밀을 묶어 두니, 간직했다가 나중에 다시 보기와 비교해 보세요.
board-players = PLAYERS명 참가
board-watch = 다시 보기
board-off-table = 취소됨
board-even = 딴 사람이 없어요
board-empty = 아직 여기서 한 게임이 없어요.
board-lost = 봇이 답하지 않아요. 다시 시도하는 중 …
board-gone = 보드가 없거나 꺼져 있어요.
board-house = 하우스
