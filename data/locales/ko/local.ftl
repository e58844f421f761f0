# 로컬 채팅 자체의 말. 페이지의 말은 page.ftl에 있어요.

local-room = 로컬 채팅
local-no-name = 이름에는 글자나 숫자가 하나는 있어야 해요. 다른 이름을 골라 주세요.
local-name-taken = 봇이 쓰는 이름이에요. 다른 이름을 골라 주세요.
local-name-command = 이름은 “!”로 시작할 수 없어요. 먼저 이름을 정하고, 명령어는 그다음에 입력해 주세요.
local-no-role = 그런 역할은 없어요.
local-not-in = 그 시청자는 아직 채팅에 들어오지 않았어요.
local-full = 이 페이지에는 이미 시청자가 { $most }명 있어요. 먼저 한 명을 내보내 주세요.
local-too-long = 너무 길어요. { $most }자까지만 쓸 수 있어요.
local-too-fast = 너무 빨라서 듣지 못했어요. 몇 초 뒤에 다시 해 주세요.
local-crowd-size = 관중은 0명에서 { $most }명까지예요.
local-not-understood = 페이지가 알 수 없는 말을 보냈어요. 새로 고침해 주세요.
local-guest = 손님은 시청자로만 들어올 수 있어요. 그건 봇이 실행되는 컴퓨터에서만 할 수 있어요.
local-not-your-table = 그 테이블은 거기서 게임하는 사람만 재촉할 수 있어요.
a-viewer = 시청자
a-regular = 단골
a-subscriber = 구독자
a-vip = VIP
a-moderator = 매니저
a-broadcaster = 스트리머
